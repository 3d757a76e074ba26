/** All words of the screens in Spanish, under the names of the English ones. */
import type { Words } from './english.ts'
import { spanishFirst } from './spanish-first.ts'
import { spanishRest } from './spanish-rest.ts'

export const spanish: Words = { ...spanishFirst, ...spanishRest }
