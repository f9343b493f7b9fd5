"""The declarations that parsers of languages find: Python's own, and grammars of tree-sitter."""

import ast
import collections
import importlib

# A declaration with the lines of its name, of the first comment or attribute before it, and of its end.
Declaration = collections.namedtuple("Declaration", "name line first last")

# For each language, the module of its grammar and the function that returns it, and the nodes that are declarations.
GRAMMARS = {
    "Rust": ("rust", "language", "function_item function_signature_item struct_item enum_item trait_item mod_item union_item macro_definition"),
    "JavaScript": ("javascript", "language", "function_declaration generator_function_declaration class_declaration method_definition"),
    "TypeScript": ("typescript", "language_typescript", "function_declaration class_declaration abstract_class_declaration interface_declaration enum_declaration type_alias_declaration method_definition"),
    "Go": ("go", "language", "function_declaration method_declaration"),
    "Java": ("java", "language", "method_declaration class_declaration interface_declaration enum_declaration constructor_declaration annotation_type_declaration"),
    "Kotlin": ("kotlin", "language", "function_declaration class_declaration object_declaration"),
    "C": ("c", "language", "function_definition"),
    "C++": ("cpp", "language", "function_definition class_specifier struct_specifier enum_specifier namespace_definition"),
    "C#": ("c_sharp", "language", "method_declaration class_declaration interface_declaration struct_declaration enum_declaration constructor_declaration property_declaration"),
    "Ruby": ("ruby", "language", "method singleton_method class module"),
    "PHP": ("php", "language_php", "function_definition method_declaration class_declaration interface_declaration trait_declaration enum_declaration"),
    "Lua": ("lua", "language", "function_declaration"),
    "Shell": ("bash", "language", "function_definition"),
    "Swift": ("swift", "language", "function_declaration class_declaration protocol_declaration"),
    "Objective-C": ("objc", "language", "method_definition class_implementation"),
}

# Nodes around a declaration that are part of it.
WRAPPERS = set("export_statement template_declaration decorated_definition ambient_declaration declaration type_definition".split())

# Nodes before a declaration that belong to it.
BEFORE = set("comment line_comment block_comment multiline_comment attribute_item decorator attribute_list annotation".split())


def parser(language):
    """A function from bytes to declarations, or to `None` if the text is not valid. `None` without a parser."""
    if language == "Python":
        return python
    if language not in GRAMMARS:
        return None
    module, function, kinds = GRAMMARS[language]
    try:
        import tree_sitter

        grammar = getattr(importlib.import_module(f"tree_sitter_{module}"), function)()
    except ImportError:
        return None
    trees = tree_sitter.Parser(tree_sitter.Language(grammar))
    return lambda content: grammar_declarations(trees, set(kinds.split()), content)


def comment_start(lines, first, marks):
    """The first line of the comments that end on the line before `first`."""
    while first > 1 and lines[first - 2].strip().startswith(marks):
        first -= 1
    return first


def python(content):
    try:
        text = content.decode()
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    lines = text.split("\n")
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([one.lineno for one in node.decorator_list] + [node.lineno])
            first = comment_start(lines, first, "#")
            first = 2 if first == 1 and text.startswith("#!") and node.lineno > 1 else first
            found.append(Declaration(node.name, node.lineno, first, node.end_lineno))
    return found


def name_of(node):
    name = node.child_by_field_name("name")
    if name is None:
        inner = node.child_by_field_name("declarator")
        while inner is not None and inner.type not in (
            "identifier", "field_identifier", "qualified_identifier", "destructor_name", "operator_name", "type_identifier"
        ):
            inner = inner.child_by_field_name("declarator") or next(
                (one for one in inner.named_children if one.type.endswith(("declarator", "identifier"))), None
            )
        name = inner
        while name is not None and name.type == "qualified_identifier":
            name = name.child_by_field_name("name")
    if name is None:
        kinds = ("identifier", "simple_identifier", "type_identifier")
        name = next((one for one in node.children if one.type in kinds), None)
    return name


def end_of(node):
    """The last line of a node. A grammar may let a node end after its line."""
    row, column = node.end_point
    return row if column == 0 else row + 1


def lines_before(root, lines):
    """The lines of comments and attributes that have no other code."""
    rows, open_nodes = set(), [root]
    while open_nodes:
        node = open_nodes.pop()
        if node.type not in BEFORE:
            open_nodes += node.children
            continue
        last = end_of(node)
        before = lines[node.start_point[0]][: node.start_point[1]].strip()
        after = lines[last - 1][node.end_point[1] :].strip() if node.end_point[1] else b""
        if not before and (not after or after.startswith((b"//", b"/*", b"#[", b"@"))):
            rows.update(range(node.start_point[0] + 1, last + 1))
    return rows


def first_of(node, rows, lines):
    """The first line of a declaration with the comments and attributes right before it."""
    first = node.start_point[0] + 1
    while first - 1 in rows and not (first == 2 and lines[0].startswith(b"#!")):
        first -= 1
    return first


def grammar_declarations(trees, kinds, content):
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    root = trees.parse(content).root_node
    if root.has_error:
        return None
    lines = content.split(b"\n")
    rows = lines_before(root, lines)
    found, open_nodes = [], [root]
    while open_nodes:
        node = open_nodes.pop()
        open_nodes += node.children
        if node.type not in kinds:
            continue
        # `struct a x;` declares no type.
        if node.type.endswith("_specifier") and node.child_by_field_name("body") is None:
            continue
        name = name_of(node)
        if name is None:
            continue
        whole = node
        while whole.parent is not None and whole.parent.type in WRAPPERS:
            whole = whole.parent
        last = end_of(whole)
        text = name.text.decode()
        # `extension Type` of Swift declares no type.
        if any(child.type == "extension" for child in node.children):
            text = "extension " + text
        found.append(
            Declaration(text, name.start_point[0] + 1, first_of(whole, rows, lines), last)
        )
    return found
