// Prints the functions and types of the files that are listed on standard input.
// The argument is the path of the compiler. The columns are: file, line, name,
// kind, and the line and name of a function or class that is bound to another
// name. A file that cannot be parsed has one row with line 0.
const fs = require("node:fs");
const compiler = require(process.argv[1]);

const isFunction = (node) =>
  node && (compiler.isFunctionExpression(node) || compiler.isArrowFunction(node));
const isBound = (node) => isFunction(node) || (node && compiler.isClassExpression(node));
const isType = (node) =>
  compiler.isClassDeclaration(node) ||
  compiler.isClassExpression(node) ||
  compiler.isInterfaceDeclaration(node) ||
  compiler.isEnumDeclaration(node) ||
  compiler.isTypeAliasDeclaration(node);
const isMember = (node) =>
  compiler.isMethodDeclaration(node) ||
  compiler.isMethodSignature(node) ||
  compiler.isGetAccessor(node) ||
  compiler.isSetAccessor(node);
const isHolder = (node) =>
  compiler.isVariableDeclaration(node) ||
  compiler.isPropertyDeclaration(node) ||
  compiler.isPropertyAssignment(node);
const isAssignment = (node) =>
  compiler.isBinaryExpression(node) &&
  node.operatorToken.kind === compiler.SyntaxKind.EqualsToken;
const last = (node) =>
  compiler.isPropertyAccessExpression(node)
    ? node.name
    : compiler.isElementAccessExpression(node)
      ? node.argumentExpression
      : node;

// The name, the kind, and the bound function or class, if any.
function named(node, file) {
  if (compiler.isFunctionDeclaration(node) || compiler.isFunctionExpression(node))
    return [node.name, "function"];
  if (isType(node)) return [node.name, "type"];
  if (isMember(node)) return [node.name, "function"];
  if (compiler.isConstructorDeclaration(node)) {
    const keyword = compiler.SyntaxKind.ConstructorKeyword;
    return [node.getChildren(file).find((child) => child.kind === keyword), "function"];
  }
  if (isHolder(node) && isBound(node.initializer))
    return [node.name, "function", node.initializer];
  if (isAssignment(node) && isBound(node.right)) return [last(node.left), "function", node.right];
  return [undefined, ""];
}

const kinds = compiler.ScriptKind;
for (const path of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const kind = /\.tsx$/.test(path) ? kinds.TSX : /\.[mc]?ts$/.test(path) ? kinds.TS : kinds.JSX;
  const text = fs.readFileSync(path, "utf8");
  const file = compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true, kind);
  if (file.parseDiagnostics.length > 0) {
    console.log(`${path}\t0\t\t\t\t`);
    continue;
  }
  const place = (name) => {
    if (!name) return "\t";
    const { line } = file.getLineAndCharacterOfPosition(name.getStart(file));
    return `${line + 1}\t${name.getText(file).replace(/\s+/g, " ")}`;
  };
  const bound = new Set();
  const walk = (node) => {
    const [name, what, value] = named(node, file);
    if (name && !bound.has(node)) {
      console.log(`${path}\t${place(name)}\t${what}\t${place(value?.name)}`);
      bound.add(value);
    }
    compiler.forEachChild(node, walk);
  };
  walk(file);
}
