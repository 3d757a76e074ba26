import { nameMeaning, type Columns, type NameMeaning } from './name-meaning.ts'
import { areAboutCases } from './table-statements.ts'

/** Enough to meet a name of a case; a file of other programs is not searched to its end. */
const MAX_NAMES = 2_000

/** Does a file that could not be read use names that only files about cases have? Pure. */
export function namesCases(
  text: string,
  where: 'the CSV file' | 'the XML file' | 'the JSON file',
  columns: Columns,
): boolean {
  const found: NameMeaning[] = []
  let count = 0
  for (const name of namesIn(text, where)) {
    const meaning = nameMeaning(name, columns)
    if (meaning) found.push(meaning)
    count += 1
    if (count > MAX_NAMES) break
  }
  return areAboutCases(found)
}

function* namesIn(text: string, where: 'the CSV file' | 'the XML file' | 'the JSON file'): Iterable<string> {
  if (where === 'the CSV file') {
    const head = text
      .slice(0, 10_000)
      .split(/[\r\n]/)
      .find((line) => line.trim() !== '' && !/^sep=/i.test(line))
    yield* (head ?? '').split(/[;,\t]/).map((cell) => cell.trim().replaceAll('"', ''))
    return
  }
  const pattern =
    where === 'the XML file' ? /<([\p{L}_][\p{L}\p{N}_.-]{0,60})/gu : /"([^"\\]{1,60})"[ \t\r\n]{0,20}:/g
  for (const match of text.matchAll(pattern)) if (match[1] !== undefined) yield match[1]
}
