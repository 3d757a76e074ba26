/** The words of the screens as a flat table. */
import { english } from '../../../src-renderer/i18n/english.ts'
import { spanish } from '../../../src-renderer/i18n/spanish.ts'

type Texts = { readonly [name: string]: string | Texts }

/** `queue:columns.state` and its text. */
function flat(texts: Texts, before: string): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${before}${name}`, text] as const] : flat(text, `${before}${name}.`),
  )
}

function tableOf(rooms: Readonly<Record<string, Texts>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(rooms).flatMap(([room, texts]) => flat(texts, `${room}:`)))
}

export const ENGLISH = tableOf(english)
export const SPANISH = tableOf(spanish)

/** The name by which a text is asked for: without the plural form. */
export function askedName(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '')
}

export function isPlural(key: string): boolean {
  return askedName(key) !== key
}

/** The parameters of a text, each once, in order of the alphabet. */
export function parametersOf(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\{\{?\s*(\w+)\s*\}?\}\}/g)].map(([, name = '']) => name)
  return [...new Set(names)].toSorted()
}
