/**
 * One cell of a CSV file (RFC 4180) that a spreadsheet program shows and never computes.
 *
 * Excel, LibreOffice and Google Sheets take a cell that begins with one of these characters for a formula, also where
 * white space, quotes or invisible characters stand before it, and in their full-width and small forms. An apostrophe
 * in front makes it words.
 */
const STARTS_FORMULA = /^[\s"'\p{Z}\p{C}]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]/u
/** These begin a formula by themselves in some versions, or are cut off before what stands behind them is looked at. */
const STARTS_WITH_CONTROL = /^[\s"'\p{Z}\p{C}]*?[\t\r\n]/u
/** A program that was told of another separator, or reads lines without minding quotes, begins a cell here. */
const FORMULA_AFTER_SEPARATOR =
  /(\r\n|[;|\t\r\n])(?=[\s"'\p{Z}\p{C}]*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b])/gu

/** The text with an apostrophe wherever a formula could begin. */
export function escapeFormula(text: string): string {
  const guarded = text.replace(FORMULA_AFTER_SEPARATOR, "$1'")
  return STARTS_FORMULA.test(guarded) || STARTS_WITH_CONTROL.test(guarded) ? `'${guarded}` : guarded
}

/** Always in quotes, so that no program has to guess where a cell ends. */
export function csvCell(text: string): string {
  return `"${escapeFormula(text).replaceAll('"', '""')}"`
}

/** One line with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
