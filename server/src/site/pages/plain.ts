// Markdown as a line of plain text, for what lists and finds it.

/** Without its marks: of a link its words, of a table its cells. */
export const plain = (text: string): string =>
  text
    .replace(/^(```.*|\|[-| ]+\||#+ )$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)\s]+\)/g, '$1')
    .replace(/[`*]+/g, '')
    .replace(/^\s*(?:[-|>]|\d+\.)\s+|\s*\|\s*/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim()
