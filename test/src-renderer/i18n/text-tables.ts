/** The texts of a language as a flat table, read from its files. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Language } from '../../../src-shared/texts/texts.ts'

export type Texts = { readonly [name: string]: string | Texts }

/** Every file of a language by its name: `queue`, `host`. */
export function readTexts(language: Language): Readonly<Record<string, Texts>> {
  const folder = join('src-shared/texts', language)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    files.map((name) => [basename(name, '.json'), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  )
}

/** `queue:columns.state` and its text. */
function flat(texts: Texts, before: string): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${before}${name}`, text] as const] : flat(text, `${before}${name}.`),
  )
}

function tableOf(files: Readonly<Record<string, Texts>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(files).flatMap(([file, texts]) => flat(texts, `${file}:`)))
}

export const ENGLISH = tableOf(readTexts('en'))
export const SPANISH = tableOf(readTexts('es'))

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
