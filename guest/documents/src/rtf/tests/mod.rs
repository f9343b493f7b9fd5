//! Tests with documents that are written in code.

mod fields;
mod hostile;

use super::{html, open};
use crate::Document;

fn opened(rtf: &[u8]) -> Box<dyn Document> {
    open(rtf.to_vec()).unwrap()
}

/// Converts a document with this content, and returns its Markdown.
fn converted(content: &str) -> String {
    text(&format!("{{\\rtf1\\ansi\\ansicpg1252\\deff0 {content}}}"))
}

/// Converts a whole document.
fn text(rtf: &str) -> String {
    opened(rtf.as_bytes()).unit(0).text
}

fn notes(content: &str) -> Vec<String> {
    opened(format!("{{\\rtf1 {content}}}").as_bytes())
        .unit(0)
        .notes
}

#[test]
fn paragraphs_have_formats() {
    assert_eq!(
        converted("One {\\b bold} and \\i italic\\i0  text.\\par Two\\line three\\tab four\\par"),
        "One **bold** and *italic* text.\n\nTwo  \nthree four"
    );
    assert_eq!(
        converted("x{\\super 2}y{\\sub 3} {\\strike old}\\plain new"),
        "x^2y_3 ~~old~~new"
    );
    assert_eq!(converted("a\\{b\\}\\\\c\\~d\\_e\\-f"), "a{b}\\c d-ef");
    assert_eq!(converted("\\lquote a\\rquote\\emdash\\bullet"), "‘a’—•");
}

#[test]
fn scripts_have_formats_of_their_own() {
    assert_eq!(
        converted(
            "{\\rtlch\\ab \\ltrch latin} {\\ltrch\\b \\rtlch x}{\\ltrch \\rtlch\\ab\\ai y}\
             {\\ltrch\\loch\\dbch\\ab z}{\\rtlch\\b w}"
        ),
        "latin x***y*zw**"
    );
}

#[test]
fn line_ends_in_the_file_have_no_meaning() {
    assert_eq!(converted("o\r\nne\\\ntwo\n"), "one\n\ntwo");
}

#[test]
fn code_pages_are_those_of_fonts() {
    let fonts = "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial CYR;}\
        {\\f2\\fcharset128 MS Mincho;}{\\f3\\fcharset2 Symbol;}{\\f4\\fcharset1 X;}}";
    let content =
        "\\f0 \\'e9 \\f1 \\'cf\\'f0\\'e8 \\f2 \\'93\\'fa\\'96\\'7b \\f3 a\\'b7 \\f0 \\'80";
    assert_eq!(converted(&format!("{fonts}{content}")), "é При 日本 α• €");
}

#[test]
fn multi_byte_characters_may_end_with_ascii() {
    let fonts = "{\\fonttbl{\\f2\\fcharset128 MS Mincho;}}";
    // The second byte of 表 is a backslash.
    assert_eq!(
        converted(&format!("{fonts}\\f2 \\'95\\'5c\\'8e\\'a6 \\'83e\\'83X")),
        "表示 テス"
    );
}

#[test]
fn code_page_of_the_document_is_used() {
    assert_eq!(text("{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0}"), "Пр");
    assert_eq!(text("{\\rtf1\\mac \\'8e}"), "é");
    assert_eq!(text("{\\rtf1\\pc \\'82\\'e1}"), "éß");
    assert_eq!(text("{\\rtf1\\pca \\'e1\\'9b}"), "ßø");
}

#[test]
fn unicode_skips_its_replacement() {
    assert_eq!(converted("\\u8364 ?x"), "€x");
    assert_eq!(
        converted("\\uc2\\u8364 ??x\\u-10179 ??\\u-8704 ??y"),
        "€x😀y"
    );
    assert_eq!(converted("\\uc0\\u8364 x{\\uc1\\u233\\'e9}z"), "€xéz");
    assert_eq!(converted("\\u8226 {a}"), "•a");
    assert_eq!(
        converted("{\\upr{plain}{\\*\\ud{\\u937 ?mega}}} x"),
        "Ωmega x"
    );
}

#[test]
fn headings_have_the_level_of_their_style() {
    let styles = "{\\stylesheet{Normal;}{\\s1\\outlinelevel0 \\sbasedon0 heading 1;}\
        {\\s2\\sbasedon1\\outlinelevel1 Eigene;}{\\s3\\sbasedon2 Deeper;}{\\s9 Title;}\
        {\\*\\cs10 \\additive Default Paragraph Font;}{\\s5 HTML Preformatted;}{\\s6 Quote;}}";
    assert_eq!(
        converted(&format!(
            "{styles}\\pard\\s1 {{\\b One}}\\par\\pard\\s2 Two\\par\\pard\\s3 Three\\par\
             \\pard\\outlinelevel3 Four\\par\\pard Text\\par\\pard\\s5 a  b\\par c\\par\
             \\pard\\s6 said\\par"
        )),
        "# One\n\n## Two\n\n## Three\n\n#### Four\n\nText\n\n```\na  b\nc\n```\n\n> said"
    );
    assert_eq!(
        converted(&format!("{styles}\\s9 Title\\par\\pard\\s1 One\\par")),
        "# Title\n\n## One"
    );
}

#[test]
fn lists_have_their_own_numbers() {
    let lists = "{\\*\\listtable{\\list{\\listlevel\\levelnfc0\\levelstartat3{\\leveltext\
        \\leveltemplateid1\\'02\\'00.;}{\\levelnumbers\\'01;}}{\\listlevel\\levelnfc4\\levelstartat1\
        {\\leveltext\\'03(\\'01);}{\\levelnumbers\\'02;}}\\listid7}{\\list{\\listlevel\\levelnfc23\
        \\levelstartat1{\\leveltext\\'01\\u-3913 ?;}{\\levelnumbers;}}\\listid8}}\
        {\\*\\listoverridetable{\\listoverride\\listid7\\listoverridecount0\\ls1}\
        {\\listoverride\\listid8\\listoverridecount0\\ls2}\
        {\\listoverride\\listid7\\listoverridecount1{\\lfolevel\\listoverridestartat\
        \\levelstartat1}\\ls3}}";
    assert_eq!(
        converted(&format!(
            "{lists}\\pard\\ls1\\ilvl0 a\\par b\\par\\pard\\ls1\\ilvl1 c\\par d\\par\
             \\pard\\ls1 e\\par\\pard\\ls2 f\\par\\pard\\ls3 g\\par"
        )),
        "3. a\n4. b\n   (a) c\n   (b) d\n5. e\n- f\n1. g"
    );
    // What the program shows takes precedence.
    assert_eq!(
        converted(&format!(
            "{lists}{{\\listtext\\pard\\plain 17)\\tab}}\\ls1 a\\par\
             {{\\listtext\\'b7\\tab}}\\ls2 b\\par"
        )),
        "17) a\n- b"
    );
}

#[test]
fn lists_of_word_6_are_read() {
    assert_eq!(
        converted(
            "\\pard{\\pntext\\'b7\\tab}{\\*\\pn\\pnlvlblt{\\pntxtb\\'b7}}a\\par\
             {\\pntext\\'b7\\tab}b\\par\\pard c\\par"
        ),
        "- a\n- b\n\nc"
    );
    assert_eq!(
        converted(
            "\\pard{\\*\\pn\\pnlvlbody\\pnstart4\\pnlcrm{\\pntxta .}}a\\par b\\par\\pard c\\par"
        ),
        "iv. a\nv. b\n\nc"
    );
}

#[test]
fn tables_have_merged_cells() {
    assert_eq!(
        converted(
            "\\trowd\\cellx1000\\cellx2000\\cellx3000\\pard\\intbl A\\cell B\\cell C\\cell\\row\
             \\trowd\\clvmgf\\cellx1000\\cellx3000\\pard\\intbl D\\cell E\\cell\\row\
             \\trowd\\clvmrg\\cellx1000\\clmgf\\cellx2000\\clmrg\\cellx3000\
             \\pard\\intbl\\cell F\\par g\\cell\\cell\\row\\pard after\\par"
        ),
        "|A|B|C|\n|-|-|-|\n|D|E|E|\n|D|F<br>g|F<br>g|\n\nafter"
    );
}

#[test]
fn rows_without_words_for_their_cells_are_tables() {
    assert_eq!(
        converted("\\trowd a\\par b\\cell c\\cell\\row\\trowd d\\cell e\\cell\\row\\pard f\\par"),
        "|a<br>b|c|\n|-|-|\n|d|e|\n\nf"
    );
    // A table of one cell is a frame.
    assert_eq!(
        converted("\\trowd\\cellx9\\intbl a\\par b\\cell\\row\\pard c"),
        "a\n\nb\n\nc"
    );
    assert_eq!(converted("\\trowd\\cellx9 a\\par b"), "a\n\nb");
}

#[test]
fn nested_tables_are_in_their_cell() {
    assert_eq!(
        converted(
            "\\trowd\\cellx1\\cellx1000\\pard\\intbl a\\par\\pard\\intbl\\itap2 b\\nestcell \
             c\\nestcell{\\*\\nesttableprops\\trowd\\cellx10\\cellx500\\nestrow}\
             {\\nonesttables\\par}\\pard\\intbl\\itap1 d\\cell e\\cell\\row\\pard f\\par"
        ),
        "|a<br>b; c<br>d|e|\n|-|-|\n\nf"
    );
}

#[test]
fn notes_and_comments_are_footnotes() {
    assert_eq!(
        converted(
            "One{\\super\\chftn{\\footnote\\pard\\plain{\\super\\chftn} The \\i note\\i0.}} \
             two{\\super\\chftn{\\footnote\\ftnalt End.}} three\
             {\\*\\atnid AB}{\\*\\atnauthor Ann}\\chatn{\\*\\annotation{\\*\\atndate 1}Why?}.\\par"
        ),
        "One[^1] two[^e1] three[^c1].\n\n[^1]: The *note*.\n\n[^e1]: End.\n\n[^c1]: Ann: Why?"
    );
}

#[test]
fn comment_without_text_is_the_name_of_its_author() {
    assert_eq!(
        converted("a{\\*\\atnauthor Ann}\\chatn{\\*\\annotation\\pard }.\\par"),
        "a[^c1].\n\n[^c1]: Ann:"
    );
}

#[test]
fn own_mark_of_a_footnote_is_left_out() {
    assert_eq!(
        converted(
            "One{\\super *{\\footnote\\pard\\plain Note}}, x{\\super 2}{\\super\\chftn\
            {\\footnote\\chftn Two}}.\\par"
        ),
        "One[^1], x^2[^2].\n\n[^1]: Note\n\n[^2]: Two"
    );
}

#[test]
fn changes_are_accepted_and_hidden_text_is_left_out() {
    let text = "new{\\deleted old}{\\revised  er}{\\v secret} {\\*\\unknown x}{\\xe\\v entry}end";
    assert_eq!(converted(text), "new er end");
    assert_eq!(
        notes(text),
        [
            "Tracked changes are shown as accepted.",
            "6 characters of hidden text are left out.",
        ]
    );
}

#[test]
fn headers_are_shown_once() {
    assert_eq!(
        converted(
            "{\\header Top of all the pages\\par}{\\headerf First}{\\footer Page \\chpgn\\par}text\
             \\sect{\\header Top of all the pages\\par}more\\par"
        ),
        "<!-- header: First -->\n\n<!-- header: Top of all the pages -->\n\ntext\n\nmore"
    );
}

#[test]
fn images_are_read_on_request() {
    let picture = "{\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv A cat}}}\
        \\pngblip\\picw10 89504e\n470d0a1a0a}}{\\nonshppict{\\pict\\wmetafile8 0102030405060708}}";
    let rtf = format!("{{\\rtf1 a {picture} b\\par {{\\pict\\jpegblip\\bin9 {{\\}}ab}}cde}}}}");
    let mut document = opened(rtf.as_bytes());
    assert_eq!(
        document.unit(0).text,
        "a ![A cat](image:1) b\n\n![](image:2)"
    );
    assert_eq!(
        document.image(1).as_deref(),
        Some(&b"\x89PNG\r\n\x1a\n"[..])
    );
    assert_eq!(document.image(2).as_deref(), Some(&b"{\\}ab}cde"[..]));
    assert_eq!(document.image(3), None);
    assert_eq!(document.image(0), None);
}

#[test]
fn bitmaps_have_the_header_of_their_file() {
    let mut bitmap = vec![40_u8, 0, 0, 0];
    bitmap.extend([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 8, 0]);
    bitmap.extend([0; 24]);
    let hex: String = bitmap.iter().map(|byte| format!("{byte:02x}")).collect();
    let rtf = format!("{{\\rtf1{{\\pict\\dibitmap0 {hex}}}}}");
    let image = opened(rtf.as_bytes()).image(1).unwrap();
    assert_eq!(image[..2], *b"BM");
    // The header of 14 bytes, the one of 40 bytes, and 256 colours.
    assert_eq!(image[10..14], (14_u32 + 40 + 1024).to_le_bytes());
}

#[test]
fn text_boxes_are_at_their_anchors() {
    let boxed = "{\\shp{\\*\\shpinst{\\shptxt\\pard box\\par}}}";
    let text = format!("\\pard\\outlinelevel0 {boxed}Part\\par");
    assert_eq!(converted(&text), "box\n\n# Part");
    assert_eq!(
        converted(
            "before {\\shp{\\*\\shpinst\\shpleft0{\\sp{\\sn wzName}{\\sv Box}}\
             {\\shptxt\\pard box\\par text}}{\\shprslt{\\*\\do{\\dptxbxtext old}}}}after\\par next"
        ),
        "before after\n\nbox\n\ntext\n\nnext"
    );
}

#[test]
fn formulas_are_latex() {
    assert_eq!(
        converted(
            "Area {\\mmath{\\*\\moMath{\\mr A=\\u960 ?}{\\msSup{\\me{\\mr r}}{\\msup{\\mr 2}}}}\
             {\\*\\mmathPict{\\pict 00112233445566778899}}}!\\par\
             {\\mmath{\\*\\moMathPara{\\*\\moMath{\\mf{\\*\\mfPr{\\*\\mctrlPr x}{\\mtype lin}}\
             {\\mnum{\\mr 1}}{\\mden{\\mr\\mnor ab}}}}}}\\par"
        ),
        "Area $A=\\pi r^{2}$!\n\n$${1}/{\\text{ab}}$$"
    );
}

#[test]
fn facts_are_those_of_the_information() {
    let rtf = "{\\rtf1{\\info{\\title A \\u8364 ? title}{\\author Ann}{\\author Bob}\
        {\\creatim\\yr2001\\mo2\\dy3\\hr4\\min5}{\\operator x}{\\doccomm Text}}body}";
    let document = opened(rtf.as_bytes());
    let facts: Vec<String> = document
        .facts()
        .metadata
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    assert_eq!(
        facts,
        [
            "title=A € title",
            "author=Ann",
            "created=2001-02-03T04:05:00",
            "description=Text",
        ]
    );
}

#[test]
fn initial_letter_belongs_to_the_paragraph() {
    assert_eq!(
        converted("\\pard\\dropcapli3 O\\par\\pard nce upon\\par"),
        "Once upon"
    );
}

#[test]
fn ballot_boxes_are_tasks() {
    assert_eq!(
        converted("\\u9745 ? done\\par\\u9744 ? open\\par a \\u9744 ? b\\par"),
        "- [x] done\n- [ ] open\n\na ☐ b"
    );
}

const MAIL: &str = "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss Arial;}\
    {\\f1\\fcharset204 Arial;}}{\\colortbl\\red0\\green0\\blue0;}\n\
    {\\*\\htmltag19 <html>}{\\*\\htmltag64}\\htmlrtf {\\htmlrtf0 {\\*\\htmltag64 <p>}\
    Hello \\'e9\\htmlrtf hidden\\htmlrtf0 {\\*\\htmltag84 &nbsp;}{\\*\\htmltag84 <b>}\
    \\htmlrtf {\\b \\f1\\htmlrtf0 \\'cf\\u8364 ?{\\*\\htmltag92 </b>}\\htmlrtf }\\htmlrtf0\
    {\\*\\mhtmltag84 <no>}\\par \\lquote\\{{\\pntext no}{\\*\\htmltag72 </p>}\
    {\\*\\htmltag27 </html>}}}";

#[test]
fn html_of_a_mail_is_extracted() {
    assert_eq!(
        html(MAIL.as_bytes()).as_deref(),
        Some("<html><p>Hello é&nbsp;<b>П€</b>\r\n&lsquo;{</p></html>")
    );
    assert_eq!(html(b"{\\rtf1 \\fromtext text}"), None);
    assert_eq!(text(MAIL), "Hello é **П€** ‘{");
}

#[test]
fn typed_bullets_and_numbers_are_items_if_their_lines_hang() {
    let item = |left: i32, text: &str| format!("{{\\pard \\li{left} \\fi-360 {text}\\par}}\n");
    let list = [
        item(360, "\\bullet \\tx360\\tab One"),
        item(720, "\\endash \\tx360\\tab Deep"),
        item(360, "\\bullet \\tx360\\tab Two"),
        "{\\pard \\li360 \\fi0 More of two\\par}{\\pard \\li0 \\fi0 Text\\par}".to_owned(),
        item(360, "(2)\\tx360\\tab Second"),
        item(360, "{\\b (3)}\\tab Third"),
    ];
    assert_eq!(
        converted(&list.concat()),
        "- One\n  - Deep\n- Two\n\n  More of two\n\nText\n\n(2) Second\n(3) Third"
    );
    // No tab, a word, and a line that does not hang.
    assert_eq!(
        converted(
            "\\pard\\li360\\fi-360 \\bullet  One\\par Name\\tab Two\\par\\pard 1.\\tab Three\\par"
        ),
        "• One\n\nName Two\n\n1. Three"
    );
}

#[test]
fn text_in_a_font_of_one_width_is_code() {
    let fonts = "{\\fonttbl{\\f0\\fswiss Helvetica;}{\\f1\\fmodern Courier New;}}\\f0 ";
    let prose = "Some prose before the code, in another font.";
    assert_eq!(
        converted(&format!(
            "{fonts}{prose} {{\\f1 x = 1}} ends.\\par{{\\f1 if x:\\line     y\\par\\par\\tab z\\par}}End.\\par"
        )),
        format!("{prose} `x = 1` ends.\n\n```\nif x:\n    y\n\n\tz\n```\n\nEnd.")
    );
    // The font of an item is not that of code in it.
    assert_eq!(
        converted(&format!(
            "{fonts}{prose}\\par{{\\listtext\\bullet\\tab}}{{\\f1\\b Term:\\b0  text}}\\par"
        )),
        format!("{prose}\n\n- **Term:** text")
    );
    // A letter that is typed in this font.
    assert_eq!(
        converted(&format!(
            "{fonts}Head\\par\\f1 Dear Sir, this letter has no code at all.\\par"
        )),
        "Head\n\nDear Sir, this letter has no code at all."
    );
}

#[test]
fn rows_of_dashes_are_lines_between_sections() {
    assert_eq!(
        converted("A\\par\\qc\\emdash\\emdash\\emdash\\emdash\\par\\emdash\\par B"),
        "A\n\n---\n\n—\n\nB"
    );
    assert_eq!(
        converted("Sign here:\\par\n____________\\par\nName\\par"),
        "Sign here:\n\n____________\n\nName"
    );
}

#[test]
fn part_of_a_document_is_read() {
    assert_eq!(
        text("{\\pard \\ql \\f0 A part\\par}\n{\\pard Two\\par}"),
        "A part\n\nTwo"
    );
}

#[test]
fn bullet_of_a_symbol_font_is_known_without_the_font() {
    assert_eq!(converted("\\u-3913?\\tab x"), "• x");
}

#[test]
fn larger_lines_are_headings_of_a_document_without_styles() {
    let text = "The text is long enough that its size is that of most characters.";
    let document = format!(
        "{{\\b\\fs48 Report\\par}}{{\\fs24 {text}\\par}}{{\\fs32\\b Part\\par}}{{\\fs24 {text}\\par}}\
         {{\\fs24\\b Bold\\par}}"
    );
    assert_eq!(
        converted(&document),
        format!("# Report\n\n{text}\n\n## Part\n\n{text}\n\n**Bold**")
    );
    // A heading by its level shows that the document has structure of its own.
    assert_eq!(
        converted(&format!("{document}\\pard\\outlinelevel0 Own\\par")),
        format!("**Report**\n\n{text}\n\n**Part**\n\n{text}\n\n**Bold**\n\n# Own")
    );
    // A letter in two sizes has no heading.
    let half = "{\\fs48 Large text\\par}{\\fs24 Small text\\par}";
    assert_eq!(converted(half), "Large text\n\nSmall text");
}
