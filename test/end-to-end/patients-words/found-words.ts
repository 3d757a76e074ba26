/** Looks for words of patients where they must not be. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { CallName } from '../../../src-shared/contract.ts'
import type { Result } from '../../../src-shared/failure.ts'
import { TELLING } from './named-visit.ts'

/** Asks a station on whichever host. */
export type Ask = (name: CallName, input?: object) => Promise<Result<unknown>>

/** Lines of a text that name somebody. */
export function namedLines(text: string): string[] {
  return text.split('\n').filter((line) => TELLING.test(line))
}

/**
 * What the station's own sentences say: every `message` in a value, with its place. What a person or the service has
 * said stands in other fields and is theirs.
 */
export function messagesIn(
  value: unknown,
  place = '',
): { readonly place: string; readonly message: string }[] {
  if (Array.isArray(value)) return value.flatMap((one) => messagesIn(one, place))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'message' && typeof part === 'string'
      ? [{ place, message: part }]
      : messagesIn(part, `${place}.${name}`),
  )
}

/** Everything that the station says of itself and of its cases, in its own words. */
export async function allMessages(ask: Ask): Promise<{ readonly place: string; readonly message: string }[]> {
  const list = await ask('submissions.list', { limit: 1_000 })
  const items = list.ok ? (list.value as { readonly items: readonly { readonly id: string }[] }).items : []
  const details = await Promise.all(items.map(({ id }) => ask('submissions.get', { id })))
  const others = await Promise.all(
    (['station.status', 'submissions.ageing', 'service.test'] as const).map((name) => ask(name, {})),
  )
  return [list, ...details, ...others].flatMap((answer) => messagesIn(answer))
}

/** Small files of the data folder that may leave it or are read by others, by their path in it. */
export async function readableFiles(dataFolder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  const wanted = entries
    .filter((entry) => entry.isFile() && /\.(log|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // A manifest beside the images is what a lost outbox is built from again: patients' data, and closed like it.
    .filter((path) => !/[\\/]spool[\\/]/.test(path))
  return new Map(
    await Promise.all(
      wanted.map(async (path) => [relative(dataFolder, path), await readFile(path, 'utf8')] as const),
    ),
  )
}

/** Names of all files and folders that the station has made. */
export async function namesOfFiles(dataFolder: string): Promise<string[]> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true })
  return entries.map((entry) => relative(dataFolder, join(entry.parentPath, entry.name)))
}
