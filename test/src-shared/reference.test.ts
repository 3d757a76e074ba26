import { fc, runs } from '../tools/property.ts'
import { describe, expect, it } from 'vitest'
import { isReference, referenceOf, referenceSchema } from '../../src-shared/reference.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const someReference = fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => referenceOf(bytes))

describe('a reference', () => {
  it('is FC, eight characters and a check character of one alphabet that leaves out I, L, O and U', () => {
    fc.assert(
      fc.property(someReference, (reference) => {
        expect(reference).toMatch(/^FC[0-9A-HJKMNP-TV-Z]{9}$/)
        expect(isReference(reference)).toBe(true)
        expect(referenceSchema.parse(reference)).toBe(reference)
      }),
    )
  })

  it('says the eight random bytes in its eight characters', () => {
    expect(referenceOf(Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7)).slice(0, 10)).toBe('FC01234567')
    expect(referenceOf(Uint8Array.of(31, 30, 29, 28, 27, 26, 25, 24)).slice(0, 10)).toBe('FCZYXWVTSR')
  })

  it('is the one that the glossary shows, and no other text', () => {
    const WRONG = ['', 'FC0000000', 'FC0000000000', 'FD000000000', 'fc000000000', 'FCI00000000']
    const texts = ['FC7K3M9QXAW', ...WRONG, ' FC000000000', 'FC000000000\n']
    expect(texts.filter(isReference)).toEqual(['FC7K3M9QXAW'])
  })
})

describe('the check character', () => {
  it('catches every single wrong character', () => {
    fc.assert(
      fc.property(
        someReference,
        fc.integer({ min: 2, max: 10 }),
        fc.constantFrom(...ALPHABET.split('')),
        (reference, at, wrong) => {
          fc.pre(reference.charAt(at) !== wrong)
          expect(isReference(reference.slice(0, at) + wrong + reference.slice(at + 1))).toBe(false)
        },
      ),
      { numRuns: runs(3_000) },
    )
  })

  it('catches every exchange of two neighbours', () => {
    fc.assert(
      fc.property(someReference, fc.integer({ min: 2, max: 9 }), (reference, at) => {
        const [left, right] = [reference.charAt(at), reference.charAt(at + 1)]
        fc.pre(left !== right)
        expect(isReference(reference.slice(0, at) + right + left + reference.slice(at + 2))).toBe(false)
      }),
      { numRuns: runs(3_000) },
    )
  })
})
