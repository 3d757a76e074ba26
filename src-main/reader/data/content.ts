/** Reads a data file or a patient list: to the cells of a table, or to the named values of a document. Pure. */
import { basename } from 'node:path/posix'
import { type DataContent, type DataForm, MAX_DATA_BYTES, MAX_ROWS } from '../messages.ts'
import { readTable } from './csv.ts'
import { decodeDocument, decodeTable, decodeText, namesIn } from './text.ts'
import { readJsonTree, readXmlTree } from './trees.ts'

type Unread = Extract<DataContent, { kind: 'unread' }>

/** By its name, else by its first sign. */
export function formOf(fileName: string, bytes: Uint8Array): Exclude<DataForm, 'list'> {
  const name = basename(fileName.replaceAll('\\', '/')).toLowerCase()
  if (name === 'case.json') return 'case'
  if (name.endsWith('.xml')) return 'xml'
  if (name.endsWith('.json')) return 'json'
  if (/\.(csv|tsv|tab)$/.test(name)) return 'csv'
  const first = bytes.subarray(0, 64).find((byte) => byte > 0x20 && byte < 0x7f)
  if (first === 0x3c) return 'xml'
  return first === 0x7b || first === 0x5b ? 'json' : 'csv'
}

/** A large one takes seconds: for a process of its own. */
export function readContent(bytes: Uint8Array, form: DataForm): DataContent {
  if (bytes.length > MAX_DATA_BYTES[form]) return unread('tooLarge')
  const text = textOf(bytes, form)
  if (text === null) return unread('encoding')
  if (form === 'csv' || form === 'list') {
    const table = readTable(text, MAX_ROWS[form])
    return typeof table === 'string' ? unread(table, namesIn(text, 'csv')) : { kind: 'table', table }
  }
  const root = form === 'xml' ? readXmlTree(text) : readJsonTree(text)
  if (typeof root !== 'string') return { kind: 'document', root }
  return unread(root, namesIn(text, form === 'xml' ? 'xml' : 'json'))
}

/** UTF-8 or UTF-16 with a mark is asked of a `case.json`; of others, whatever they are in. */
function textOf(bytes: Uint8Array, form: DataForm): string | null {
  if (form === 'case') return decodeText(bytes)
  return form === 'csv' || form === 'list' ? decodeTable(bytes) : decodeDocument(bytes, form)
}

function unread(why: Unread['why'], names: Unread['names'] = []): Unread {
  return { kind: 'unread', why, names }
}
