/** A selection and the page of a case approve with the digest that the screen showed; the desk: `desk.test.tsx`. */
import { describe, expect, it, vi } from 'vitest'
import type { BulkResult, CallInput } from '../../../src-shared/contract.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { Submission, SubmissionDetails } from '../../../src-shared/submission.ts'
import { hasUnseen } from '../../../src-renderer/submission/autosave.ts'
import { all, type Answers, click, find, openWindow, shows, type } from '../open-window.tsx'
import {
  countsOf,
  detailsOf,
  PROPOSED,
  PROVEN,
  syntheticImage,
  syntheticSubmission,
} from '../synthetic-submission.ts'

const caseOf = (id: string, rest: Partial<Submission> = {}): Submission =>
  syntheticSubmission(id, { fields: { history_number: id }, ...rest })

const PLAIN = [caseOf('H-1'), caseOf('H-2')] as const
const PROPOSAL = caseOf('H-3', { verdict: PROPOSED })

type Approve = (input: CallInput<'submissions.approve'>) => BulkResult
const willing: Approve = ({ ids }) => ({ changed: [...ids], refused: [] })

function withCases(cases: readonly Submission[], approve: Approve = willing): Answers {
  return {
    'submissions.list': { items: [...cases], total: cases.length, counts: countsOf() },
    'submissions.get': ({ id }) => detailsOf(cases.find((one) => one.id === id) ?? caseOf(id)),
    'submissions.approve': approve,
  }
}

const select = async (...ids: readonly string[]): Promise<void> => {
  for (const id of ids) await click('checkbox', new RegExp(`^Select ${id}`))
}

describe('the list', () => {
  it('names the center of a case if it is another than the current one', async () => {
    openWindow('#/queue', withCases([caseOf('H-1', { centerId: '102' })]))
    await shows(/Harbour Clinic/, await find('row', /H-1/))
  })

  it('approves the proven ones of a selection, by their number, and no other', async () => {
    const { inputsOf } = openWindow('#/queue', withCases([...PLAIN, PROPOSAL]))
    await select('H-3')
    expect(all('button', /^Approve/, await find('toolbar'))).toEqual([])
    await select('H-1', 'H-2')
    await click('button', 'Approve (2)', await find('toolbar'))
    await vi.waitFor(() =>
      expect(inputsOf('submissions.approve')).toEqual([
        {
          ids: ['H-1', 'H-2'],
          seen: { 'H-1': 'digest of H-1', 'H-2': 'digest of H-2' },
          undoSeconds: 30,
        },
      ]),
    )
  })

  it.each([
    ['needsLook', 'Not changed: 1'],
    ['changed', 'Changed meanwhile'],
  ] as const)('says so if the station refuses one of several: %s', async (kind, title) => {
    const refused = [{ id: 'H-2', failure: failureOf(kind) }]
    openWindow(
      '#/queue',
      withCases(PLAIN, () => ({ changed: ['H-1'], refused })),
    )
    await select('H-1', 'H-2')
    await click('button', 'Approve', await find('toolbar'))
    await find('group', title)
    await find('toolbar', '1 selected')
  })
})

describe('the page of a case', () => {
  it('approves a proposal, as it is rendered', async () => {
    const { inputsOf } = openWindow('#/queue/H-3', withCases([PROPOSAL]))
    await click('button', 'Approve and send')
    await vi.waitFor(() =>
      expect(inputsOf('submissions.approve')).toEqual([
        { ids: ['H-3'], seen: { 'H-3': 'digest of H-3' }, undoSeconds: 30 },
      ]),
    )
  })

  it('shows the new content if the case has changed since, and stays', async () => {
    let fields = PROPOSAL.fields
    const refused = [{ id: 'H-3', failure: failureOf('changed') }]
    openWindow('#/queue/H-3', {
      ...withCases([PROPOSAL], () => {
        fields = { ...fields, last_name: 'Sampleton' }
        return { changed: [], refused }
      }),
      'submissions.get': () => detailsOf({ ...PROPOSAL, fields, digest: JSON.stringify(fields) }),
    })
    await click('button', 'Approve and send')
    await find('group', 'Changed meanwhile')
    await shows('Sampleton')
    expect(window.location.hash).toBe('#/queue/H-3')
  })

  it('approves what was typed, and nothing that came with it', async () => {
    let came: Submission['fields'] = {}
    const { inputsOf } = openWindow('#/queue/H-3', {
      ...withCases([PROPOSAL]),
      'submissions.update': ({ fields }) =>
        detailsOf({
          ...PROPOSAL,
          fields: { ...PROPOSAL.fields, ...(fields as object), ...came },
          digest: `digest with age ${fields?.age}`,
          changedAt: 2_000,
        }),
    })
    await type('textbox', 'Age', '61')
    came = { last_name: 'Sampleton' }
    await click('button', 'Approve and send')
    await find('group', 'Changed meanwhile')
    await shows('Sampleton')
    expect(inputsOf('submissions.approve')).toEqual([])
    await type('textbox', 'Age', '62')
    await click('button', 'Approve and send')
    await vi.waitFor(() =>
      expect(inputsOf('submissions.approve')).toMatchObject([{ seen: { 'H-3': 'digest with age 62' } }]),
    )
  })
})

describe('what a person has not seen of a case that was saved', () => {
  const image = syntheticImage('i1')
  const shown = detailsOf(caseOf('H-1', { images: [image], fields: { history_number: 'H-1', age: 60 } }))

  it.each<readonly [string, Partial<SubmissionDetails>, boolean]>([
    ['nothing, if it is the same', {}, false],
    ['nothing of what was typed', { fields: { history_number: 'H-1', age: 61 } }, false],
    ['another value', { fields: { history_number: 'H-2', age: 60 } }, true],
    ['a value that is gone', { fields: { age: 60 } }, true],
    ['an eye', { images: [{ ...image, eye: 'left' }] }, true],
    ['an image', { images: [image, syntheticImage('i2')] }, true],
    ['an image that is left out', { images: [{ ...image, excludedBecause: 'blurred' }] }, true],
    ['why an eye has no image', { noImageBecause: { left: 'absent' } }, true],
    ['that less is proven', { verdict: PROPOSED }, true],
  ])('%s', (_what, rest, expected) => {
    expect(hasUnseen(shown, { ...shown, ...rest }, ['age'])).toBe(expected)
  })

  it('is nothing if more is proven', () => {
    const before = { ...shown, verdict: PROPOSED }
    expect(hasUnseen(before, { ...before, verdict: PROVEN }, ['age'])).toBe(false)
  })
})
