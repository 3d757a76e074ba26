/** Reads the cells of a table of text. Pure. */
import { parse } from 'csv-parse/sync'
import type { Table } from '../messages.ts'

const MAX_COLUMNS = 500
const MAX_RECORD_CHARACTERS = 1_000_000

/** Separated by `;`, `,` or tab, whichever is most frequent in the first line; the line `sep=;` is honoured. */
export function readTable(text: string, mostRows: number): Table | 'noTable' | 'tooManyRows' {
  const plain = text.replace(/^\ufeff/, '')
  const [line = '', stated] = /^"?sep=([;,\t|])"?[;,\t|]*(?:\r\n|\n|\r)/i.exec(plain) ?? []
  const body = plain.slice(line.length)
  const records = recordsOf(body, stated ?? delimiterOf(body), mostRows + 2)
  if (records === null) return 'noTable'
  const [headings, ...rows] = records
    .map((cells) => cells.map(plainCell))
    .filter((cells) => cells.some((cell) => cell !== ''))
  if (rows.length > mostRows) return 'tooManyRows'
  if (!headings || headings.length > MAX_COLUMNS) return 'noTable'
  const named = headings.findLastIndex((heading) => heading !== '') + 1
  const isEnded = /[\r\n]$/.test(body)
  // A program that ends each row with a delimiter adds one empty cell to all of them.
  const least = rows.reduce((fewest, { length }) => Math.min(fewest, length), MAX_COLUMNS)
  const width = Math.max(headings.length, least)
  // The first column of a data frame numbers its rows and has no heading.
  const isIndexed =
    headings[0] === '' &&
    rows.every(([first], index) => first === String(index) || first === String(index + 1))
  const misfits = rows.filter((cells, index) => {
    const isUnnamed = cells.some((cell, at) => cell !== '' && !headings[at] && !(isIndexed && at === 0))
    // A file that ends within a row is truncated.
    const isTruncated = !isEnded && index === rows.length - 1 && cells.length < named
    return cells.length > width || isUnnamed || isTruncated
  })
  return { headings: headings.slice(0, named), rows, misfits: new Set(misfits) }
}

/** Without what office programs write around a cell so that it stays a text: `="0062001"`, `'0062001`. */
function plainCell(cell: string): string {
  const formula = cell.startsWith('="') ? /^="([^"]*)"$/.exec(cell)?.[1] : undefined
  return formula?.trim() ?? (/^'\d/.test(cell) ? cell.slice(1) : cell)
}

/** The heading line decides: in rows, a comma may belong to a number. */
function delimiterOf(text: string): string {
  const from = Math.max(text.search(/\S/), 0)
  const [line = ''] = /^[^\r\n]*/.exec(text.slice(from, from + MAX_RECORD_CHARACTERS)) ?? []
  const unquoted = line.replaceAll(/"[^"]*"?/g, '')
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length - 1)
  const most = Math.max(...counts)
  return (most > 0 && DELIMITERS[counts.indexOf(most)]) || ','
}

const DELIMITERS = [';', '\t', ',']

function recordsOf(text: string, delimiter: string, most: number): string[][] | null {
  try {
    return parse(text, {
      delimiter,
      to: most,
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: MAX_RECORD_CHARACTERS,
    })
  } catch (error) {
    // The parser rejects the text: an unclosed quote, an endless row.
    if (error instanceof Error) return null
    throw error
  }
}
