//! The title of a table of contents that is left out.

use crate::model::{Block, plain_text};

/// The titles that programs and authors write above a table of contents, in lower case.
const TITLES: [&str; 40] = [
    "contents",
    "table of contents",
    "list of contents",
    "index",
    "inhalt",
    "inhaltsverzeichnis",
    "inhaltsübersicht",
    "sommaire",
    "table des matières",
    "table des matieres",
    "índice",
    "indice",
    "contenido",
    "tabla de contenido",
    "tabla de contenidos",
    "contenuto",
    "sommario",
    "conteúdo",
    "sumário",
    "inhoud",
    "inhoudsopgave",
    "innehåll",
    "innehållsförteckning",
    "innhold",
    "innholdsfortegnelse",
    "indhold",
    "indholdsfortegnelse",
    "sisällys",
    "sisällysluettelo",
    "spis treści",
    "obsah",
    "tartalom",
    "tartalomjegyzék",
    "cuprins",
    "içindekiler",
    "содержание",
    "оглавление",
    "зміст",
    "目录",
    "目次",
];

/// Removes the last block if it is the title of a table of contents. Without the entries it would be an
/// empty section.
pub fn drop_title(out: &mut Vec<Block>) {
    let Some(Block::Heading { content, .. } | Block::Paragraph(content)) = out.last() else {
        return;
    };
    let text = plain_text(content).to_lowercase();
    let text = text.trim().trim_end_matches([':', '.']).trim_end();
    if TITLES.contains(&text) {
        out.pop();
    }
}
