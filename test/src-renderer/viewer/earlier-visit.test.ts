import { describe, expect, it } from 'vitest'
import { imageOfEye, isOtherName, readEarlierVisit } from '../../../src-renderer/viewer/earlier-visit.ts'
import type { CallInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, succeed } from '../../../src-shared/failure.ts'
import type { Fields } from '../../../src-shared/fields.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { syntheticImage, syntheticSubmission } from '../synthetic-submission.ts'

const NOW = visit('now', '2026-11-20')
const LEFT_OUT = syntheticImage('out', 'right', { excludedBecause: 'Blurred' })

type Session = Parameters<typeof readEarlierVisit>[0]

function visit(
  id: string,
  visit_date: string | undefined,
  rest: Partial<Submission> = {},
  fields: Fields = {},
): Submission {
  return syntheticSubmission(id, {
    fields: { history_number: '412', ...(visit_date === undefined ? {} : { visit_date }), ...fields },
    images: [syntheticImage(`${id}-r`, 'right')],
    centerId: '101',
    ...rest,
  })
}

/** The earlier visit if the station lists these. */
function earlierAmong(current: Submission, items: readonly Submission[]) {
  const call = () => Promise.resolve(succeed({ items, total: items.length, counts: {} }))
  return readEarlierVisit({ call } as unknown as Session, current)
}

describe('the earlier visit', () => {
  it('is the newest before this one', async () => {
    const earlier = [visit('a', '2025-01-02'), visit('b', '2026-05-01')]
    expect(await earlierAmong(NOW, earlier)).toMatchObject({ kind: 'found', visit: { id: 'b' } })
  })

  it.each<[string, Submission]>([
    ['of a later day', visit('a', '2026-11-21')],
    ['of the same day', visit('a', '2026-11-20')],
    ['without a day', visit('a', undefined)],
    ['that is this one', visit('now', '2020-01-01')],
    ['that was discarded', visit('a', '2025-01-02', { state: 'discarded' })],
    ['without images', visit('a', '2025-01-02', { images: [] })],
    ['whose images were all left out', visit('a', '2025-01-02', { images: [LEFT_OUT] })],
    ['of another center, which counts its own', visit('a', '2025-01-02', { centerId: '102' })],
    ...['1412', '4120', '0412', '412 ', '412-B', 'x412x'].map((history_number): [string, Submission] => [
      `of the patient ${history_number}, whose number only holds this one`,
      visit('a', '2025-01-02', {}, { history_number }),
    ]),
  ])('is none %s', async (_what, candidate) => {
    expect(await earlierAmong(NOW, [candidate])).toEqual({ kind: 'none' })
  })

  it('is not requested if nothing states the patient or the day', async () => {
    const others = [visit('a', '2025-01-02')]
    expect(await earlierAmong(visit('now', undefined), others)).toEqual({ kind: 'noVisitDate' })
    const unnamed = { ...NOW, fields: { visit_date: '2026-11-20' } }
    expect(await earlierAmong(unnamed, others)).toEqual({ kind: 'noHistoryNumber' })
  })

  it('is found among more than one page of numbers that only hold this one', async () => {
    const others = Array.from({ length: 230 }, (_, index) =>
      visit(`o${index}`, '2026-06-01', {}, { history_number: `412${index}` }),
    )
    const all = [...others, visit('it', '2026-01-01')]
    const asked: CallInput<'submissions.list'>[] = []
    const session = {
      call: (_name: string, input: CallInput<'submissions.list'>) => {
        asked.push(input)
        const start = input.after === undefined ? 0 : all.findIndex(({ id }) => id === input.after) + 1
        return Promise.resolve(
          succeed({ items: all.slice(start, start + (input.limit ?? 100)), total: all.length, counts: {} }),
        )
      },
    } as unknown as Session
    expect(await readEarlierVisit(session, NOW)).toMatchObject({ kind: 'found', visit: { id: 'it' } })
    expect(asked.map(({ search }) => search)).toEqual(['412', '412'])
  })

  it('is shown as not read if the station does not answer', async () => {
    const failure = failureOf('internal')
    const session = { call: () => Promise.resolve(fail(failure)) } as unknown as Session
    expect(await readEarlierVisit(session, NOW)).toEqual({ kind: 'failed', failure })
  })
})

it('shows the same eye of the earlier visit, one that is still here before one that was removed', () => {
  const images = [
    syntheticImage('l', 'left'),
    syntheticImage('gone', 'right', { removedAt: 1 }),
    LEFT_OUT,
    syntheticImage('r', 'right'),
  ]
  expect(imageOfEye(images, 'right')?.id).toBe('r')
  expect(imageOfEye(images.slice(0, 3), 'right')?.id).toBe('gone')
  expect(imageOfEye(images.slice(0, 1), 'right')).toBeNull()
  expect(imageOfEye([syntheticImage('u', 'unknown')], 'unknown')).toBeNull()
})

it.each<[Fields, Fields, boolean]>([
  [{ last_name: 'Pérez', first_name: 'Ana' }, { last_name: 'PEREZ', first_name: ' ana' }, false],
  [{ last_name: 'Pérez' }, { last_name: 'Gómez' }, true],
  [{ last_name: 'Pérez', first_name: 'Ana' }, { last_name: 'Pérez', first_name: 'Eva' }, true],
  [{ last_name: 'Pérez' }, {}, false],
])('%j and %j: another name is %s', (one, other, isOther) => {
  expect(isOtherName(one, other)).toBe(isOther)
})
