/** All words of the screens in English; the other languages have these names, and no others. */
import { englishFirst } from './english-first.ts'
import { englishRest } from './english-rest.ts'

export const english = { ...englishFirst, ...englishRest }

export type Words = typeof english
