import { describe, expect, it } from 'vitest'
import {
  carriedReferences,
  type FoundReferences,
  noteReferences,
  type OurSubmission,
  referencesIn,
} from '../../../../src-main/station/delivery/duplicates.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'
import { referenceOf } from '../../../../src-shared/reference.ts'

const [R1 = '', R2 = '', R3 = ''] = [1, 2, 3].map((seed) => referenceOf(new Uint8Array(8).fill(seed)))

function serviceCase(caseId: string, raw: Record<string, unknown>): ServiceCase {
  const unsaid = { state: null, historyNumber: null, firstName: null, lastName: null, visitDate: null }
  return { caseId, ...unsaid, createdAt: null, urgency: null, raw }
}

describe('references in what the service tells', () => {
  it.each<[name: string, raw: Record<string, unknown>, found: string[]]>([
    ['on a line of its own', { notes: `seen today\n${R1}` }, [R1]],
    ['in the name of a file', { images: [{ name: `${R1}_OD_1.jpg` }] }, [R1]],
    ['in small letters', { notes: R1.toLowerCase() }, [R1]],
    ['behind a letter that looks like its beginning', { notes: `FC${R1}` }, [R1]],
    ['two of them', { a: R1, b: [R2] }, [R1, R2]],
    ['none with a wrong check character', { notes: `${R1.slice(0, -1)}${R1.endsWith('A') ? 'B' : 'A'}` }, []],
    ['none', { notes: 'FC' }, []],
  ])('are found: %s', (_name, raw, found) => {
    expect([...referencesIn(serviceCase('1', raw))].toSorted()).toEqual(found.toSorted())
  })
})

describe('what a list says of our references', () => {
  const ours: readonly OurSubmission[] = [
    { id: 'one', reference: R1, caseId: '11' },
    { id: 'two', reference: R2, caseId: '22' },
    { id: 'three', reference: R3, caseId: null },
  ]
  const known = {
    ofReference: (reference: string) => ours.find((one) => one.reference === reference) ?? null,
    ofCase: (caseId: string) => ours.find((one) => one.caseId === caseId) ?? null,
  }
  const found = (...cases: ServiceCase[]): unknown[] => {
    const noted: FoundReferences = new Map()
    // One by one, as the slices of a long list come.
    for (const one of cases) noteReferences(noted, [one], known)
    return carriedReferences(noted).map(({ submissionId, caseIds, boundToOthers }) => [
      submissionId,
      caseIds,
      boundToOthers.map(({ id }) => id),
    ])
  }

  it.each<[name: string, cases: ServiceCase[], expected: unknown[]]>([
    ['its own case', [serviceCase('11', { notes: R1 })], [['one', ['11'], []]]],
    ['another case beside the bound one', [serviceCase('90', { notes: R1 })], [['one', ['11', '90'], []]]],
    [
      'two cases of one that is bound to none',
      [serviceCase('90', { notes: R3 }), serviceCase('91', { notes: R3 })],
      [['three', ['90', '91'], []]],
    ],
    ['a case that is bound to another', [serviceCase('22', { notes: R3 })], [['three', ['22'], ['two']]]],
    [
      'a quotation beside its own reference',
      [serviceCase('22', { notes: `${R1} ${R2}` })],
      [['two', ['22'], []]],
    ],
    [
      'the same case on two pages',
      [serviceCase('11', { notes: R1 }), serviceCase('11', { notes: R1 })],
      [['one', ['11'], []]],
    ],
    [
      'a reference of another station',
      [serviceCase('5', { notes: referenceOf(new Uint8Array(8).fill(9)) })],
      [],
    ],
  ])('%s', (_name, cases, expected) => expect(found(...cases)).toEqual(expected))
})
