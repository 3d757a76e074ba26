import { expect, it } from 'vitest'
import { type EarlierCases, earlierCasesOf } from '../../../src-renderer/submission/earlier-cases.tsx'
import type { Reason, Warning } from '../../../src-shared/submission.ts'

const duplicate: Reason = { kind: 'looksLikeDuplicate', message: 'An image.', references: ['FC1', 'FC2'] }
const sentBefore: Warning = { kind: 'sentBefore', message: 'A case.', references: ['FC3'] }

it.each<readonly [string, Reason[], Warning[], EarlierCases | null]>([
  ['nothing in a plain case', [], [], null],
  [
    'the cases that hold the same image, before those of the same day',
    [duplicate],
    [sentBefore],
    { why: 'sameImage', references: ['FC1', 'FC2'] },
  ],
  [
    'those of the same patient and day',
    [],
    [sentBefore, sentBefore],
    { why: 'sentBefore', references: ['FC3'] },
  ],
  [
    'nothing where an older station names none',
    [{ kind: 'looksLikeDuplicate', message: 'An image.' }],
    [],
    null,
  ],
  [
    'at most three',
    [],
    [{ ...sentBefore, references: ['1', '2', '3', '4'] }],
    { why: 'sentBefore', references: ['1', '2', '3'] },
  ],
])('shows beside a case %s', (_what, reasons, oddities, earlier) => {
  expect(earlierCasesOf({ reasons, oddities })).toEqual(earlier)
})
