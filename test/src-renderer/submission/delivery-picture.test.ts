import { describe, expect, it } from 'vitest'
import { summarizeDelivery } from '../../../src-renderer/submission/delivery.tsx'
import type { Evidence } from '../../../src-shared/submission.ts'

const found = (kind: Evidence['kind'], ...caseIds: string[]) => ({ kind, caseIds })

describe('what the evidence comes to', () => {
  it.each([
    ['nothing', [], { why: 'noAnswer', candidates: [], cautions: [] }],
    ['an absence', [found('absent')], { why: 'noAnswer', candidates: [], cautions: [] }],
    [
      'one that fits',
      [found('absent'), found('sameIdentity', '7')],
      { why: 'noAnswer', candidates: ['7'], cautions: [] },
    ],
    [
      'the reference itself',
      [found('sameIdentity', '7'), found('echoedReference', '9')],
      { why: 'noAnswer', candidates: ['9', '7'], cautions: [{ kind: 'found', caseIds: ['9'] }] },
    ],
    [
      'two with the reference',
      [found('echoedReference', '9'), found('twice', '9', '10')],
      { why: 'noAnswer', candidates: ['9', '10'], cautions: [{ kind: 'twice', caseIds: ['9', '10'] }] },
    ],
    [
      'a restored outbox and a center that may have been another',
      [found('restored'), found('centerUnsure')],
      { why: 'restored', candidates: [], cautions: [{ kind: 'centerUnsure' }] },
    ],
    [
      'kinds that name a case in another way',
      [found('decision', '3'), found('readBack', '4')],
      { why: 'noAnswer', candidates: ['4', '3'], cautions: [] },
    ],
  ] as const)('of %s', (_name, evidence, picture) => {
    expect(summarizeDelivery(evidence)).toEqual(picture)
  })
})
