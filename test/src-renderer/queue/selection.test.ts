import { afterEach, describe, expect, it } from 'vitest'
import { questionStore } from '../../../src-renderer/decisions/decisions.tsx'
import { createBroadcast, type LinkMessage, type StationLink } from '../../../src-renderer/link/link.ts'
import { type Names, namesNow, privacy } from '../../../src-renderer/privacy/names.tsx'
import {
  actionsFor,
  actionsForMany,
  refusalMessages,
  runAction,
  type SubmissionAction,
} from '../../../src-renderer/queue/actions.ts'
import { reasonText } from '../../../src-renderer/queue/row-reason.tsx'
import { stableOrder } from '../../../src-renderer/desk/case-list.tsx'
import { mergeCautions } from '../../../src-renderer/submission/regroup.tsx'
import { readMatching } from '../../../src-renderer/queue/selection-bar.tsx'
import { MAX_ROWS } from '../../../src-renderer/store/state.ts'
import type { StationSession } from '../../../src-renderer/store/store.ts'
import { addFiles } from '../../../src-renderer/submission/add-images.tsx'
import { forgetDraft, setDraftField } from '../../../src-renderer/submission/drafts.ts'
import type { BulkResult } from '../../../src-shared/contract.ts'
import { type Result, succeed } from '../../../src-shared/failure.ts'
import { SUBMISSION_STATES, type SubmissionEvent, transition } from '../../../src-shared/states.ts'
import type { Image, Submission, UnusableFile } from '../../../src-shared/submission.ts'
import { failing, pagingStation, PROPOSED, PROVEN, syntheticSubmission } from '../synthetic-submission.ts'

const VIEW = { filter: 'waiting', search: 'demo' } as const

/** A station with so many cases in line. */
const stationWith = (count: number, overlap = 0) =>
  pagingStation(
    Array.from({ length: count }, (_, index) => syntheticSubmission(`w${index}`, { state: 'waiting' })),
    overlap,
  )

describe('all that matches a view', () => {
  it('is read a thousand at a time, under the filter and the search that are shown', async () => {
    const station = stationWith(2_300)
    const found = await readMatching(station, VIEW)
    expect(found.ok && [found.value.length, found.value[0]?.id, found.value.at(-1)?.id]).toEqual([
      2_300,
      'w0',
      'w2299',
    ])
    expect(station.asked.map(({ limit, search, after }) => [limit, search, after])).toEqual([
      [MAX_ROWS, 'demo', undefined],
      [MAX_ROWS, 'demo', 'w999'],
      [MAX_ROWS, 'demo', 'w1999'],
    ])
    expect(found.ok && Object.keys(found.value[0] ?? {})).not.toContain('fields')
  })

  it('ends if no more can be selected, and has a case once that came on two pages', async () => {
    const station = stationWith(10_500)
    const most = await readMatching(station, VIEW)
    expect([most.ok && most.value.length, station.asked.length]).toEqual([10_000, 10])
    const found = await readMatching(stationWith(1_500, 10), VIEW)
    expect(found.ok && found.value.length).toBe(1_500)
  })

  it('fails as the station fails', async () => {
    const failure = failing('safeMode')
    const away: Pick<StationLink, 'call'> = { call: async () => ({ ok: false, failure }) }
    expect(await readMatching(away, VIEW)).toEqual({ ok: false, failure })
  })
})

/** The events of the machine behind each action; one of them must be possible if the action is offered. */
const EVENTS: Readonly<Partial<Record<SubmissionAction, readonly SubmissionEvent[]>>> = {
  approve: ['approved'],
  hold: ['held'],
  release: ['releasedToReview', 'releasedToSend'],
  discard: ['discarded'],
  cancel: ['stayedUnsent'],
  restore: ['restoredToReview', 'restoredToUnconfirmed'],
  closeNow: ['gatheredForReview', 'gatheredIncomplete', 'gatheredToSend'],
}

describe('what is offered', () => {
  it.each(SUBMISSION_STATES)('for %s is possible in the machine of states', (state) => {
    const impossible = actionsFor(syntheticSubmission('a', { state, attempts: 1 })).filter(
      (action) => EVENTS[action]?.every((event) => transition(state, event) === null) ?? false,
    )
    expect(impossible).toEqual([])
  })

  it('never sends again what may have arrived', () => {
    expect(actionsFor(syntheticSubmission('a', { state: 'unconfirmed' }))).toEqual(['discard'])
    expect(actionsFor(syntheticSubmission('a', { state: 'sending' }))).toEqual(['cancel'])
    expect(actionsFor(syntheticSubmission('a', { state: 'sent' }))).toEqual([])
  })

  it('does nothing to a case that cannot be read, whatever its state', () => {
    for (const state of SUBMISSION_STATES)
      expect(actionsFor(syntheticSubmission('a', { state, unreadable: 'images.eye' }))).toEqual([])
  })

  it('moves to another center only what was not sent and cannot have arrived', () => {
    const states = SUBMISSION_STATES.filter((state) =>
      actionsFor(syntheticSubmission('a', { state, centerId: '101' })).includes('moveToCenter'),
    )
    expect(states).toEqual(['collecting', 'incomplete', 'review', 'waiting', 'held', 'refused'])
  })

  it('moves nothing if this station never switches, unless the center is what is missing', () => {
    const offers = (rest: object) =>
      actionsFor(syntheticSubmission('a', { state: 'incomplete', ...rest })).includes('moveToCenter')
    expect(offers({ centerId: null })).toBe(false)
    expect(offers({ centerId: null, reasons: [{ kind: 'centerUnknown', message: '' }] })).toBe(true)
  })

  it('says "try again" only where something was tried or waits for its time', () => {
    const offers = (rest: object) =>
      actionsFor(syntheticSubmission('a', { state: 'waiting', ...rest })).includes('retry')
    expect(offers({})).toBe(false)
    expect(offers({ attempts: 1 })).toBe(true)
    expect(offers({ notBefore: 5 })).toBe(true)
    expect(offers({ failure: failing('offline') })).toBe(true)
  })

  it('for several names those that each action fits', () => {
    const offered = actionsForMany([
      syntheticSubmission('a', { state: 'review' }),
      syntheticSubmission('b', { state: 'held' }),
      syntheticSubmission('c', { state: 'sent' }),
    ])
    expect(offered.map(({ action, cases }) => [action, cases.map(({ id }) => id)])).toEqual([
      ['approve', ['a']],
      ['release', ['b']],
      ['hold', ['a']],
      ['discard', ['a', 'b']],
    ])
  })

  it('for several approves those that are proven, and moves none to another center', () => {
    const offered = actionsForMany([
      syntheticSubmission('a', { state: 'review', centerId: '101', verdict: PROVEN }),
      syntheticSubmission('b', { state: 'review', centerId: '101', verdict: PROPOSED }),
    ])
    expect(offered.map(({ action, cases }) => [action, cases.length])).toEqual([
      ['approve', 1],
      ['hold', 2],
      ['discard', 2],
    ])
  })
})

const one = (id: string, rest: Partial<Submission> = {}): Submission => syntheticSubmission(id, rest)

it.each<[string, Submission['fields'], Submission['fields'], string[]]>([
  ['nothing is known', {}, {}, []],
  ['one says nothing', { history_number: '1', visit_date: '2026-11-20' }, {}, []],
  ['all is alike', { history_number: '1', last_name: 'Ana' }, { history_number: '1', last_name: 'ANA ' }, []],
  ['numbers differ', { history_number: '1' }, { history_number: '2' }, ['numbers']],
  ['first names differ', { first_name: 'Ana' }, { first_name: 'Eva' }, ['names']],
  ['days differ', { visit_date: '2026-11-20' }, { visit_date: '2026-11-21' }, ['days']],
])('warns where %s', (_what, fields, others, expected) => {
  expect(mergeCautions([one('a', { fields }), one('b', { fields: others })])).toEqual(expected)
})

const because = (message: string) => ({ id: 'a', failure: { kind: 'notAllowed' as const, message } })

it('states a reason that holds for all once, and of several how many each holds for', () => {
  expect(refusalMessages([because('Too late.'), because('Too late.')])).toEqual(['Too late.'])
  expect(refusalMessages([because('Too late.'), because('Gone.'), because('Too late.')])).toEqual([
    '2: Too late.',
    '1: Gone.',
  ])
})

type Asked = { readonly ids: string[]; readonly seen?: Readonly<Record<string, string>> }

/** Does all that it is asked to; `before` comes first. */
function willing(before: (input: Asked) => void = () => undefined) {
  const asked: [string, Asked][] = []
  const call = (name: string, input: Asked): Promise<Result<BulkResult>> => {
    asked.push([name, input])
    before(input)
    return Promise.resolve(succeed({ changed: input.ids, refused: [] }))
  }
  const arrivals = createBroadcast<LinkMessage>()
  const session = { call, link: { onMessage: arrivals.subscribe } } as unknown as StationSession
  return { session, asked, arrive: arrivals.emit }
}

it.each(['approve', 'release', 'retry', 'moveToCenter'] as const)(
  '%s sends the digest of each case as its row showed it',
  async (action) => {
    const { session, asked } = willing()
    const done = runAction(
      session,
      action,
      ['a', 'b'].map((id) => one(id, { digest: `row of ${id}` })),
    )
    questionStore.getState().open?.answer({ by: 'QX', centerId: '102' })
    await done
    expect(asked).toMatchObject([[`submissions.${action}`, { seen: { a: 'row of a', b: 'row of b' } }]])
  },
)

it.each(['approve', 'release', 'retry', 'closeNow'] as const)(
  '%s leaves a case in place whose draft is not saved, and takes the others',
  async (action) => {
    setDraftField('b', 'od_iop', '300', undefined)
    const { session, asked } = willing()
    const run = (...ids: string[]): Promise<BulkResult | null> =>
      runAction(
        session,
        action,
        ids.map((id) => syntheticSubmission(id)),
      )
    expect(await run('a', 'b', 'c')).toMatchObject({
      changed: ['a', 'c'],
      refused: [{ id: 'b', failure: { message: 'This case has unsaved changes. Open it first.' } }],
    })
    expect(asked.map(([name, { ids }]) => [name, ids])).toEqual([[`submissions.${action}`, ['a', 'c']]])
    // It may be held back whatever is typed into it.
    expect(await runAction(session, 'hold', [syntheticSubmission('b')])).toEqual({
      changed: ['b'],
      refused: [],
    })
    forgetDraft('b', { od_iop: '300' }, {})
    expect(await run('b')).toEqual({ changed: ['b'], refused: [] })
  },
)

it('approves no case with files on their way', async () => {
  const { session, asked } = willing()
  const slow = {
    link: { uploadFile: () => Promise.withResolvers<never>().promise },
    store: { getState: () => ({ status: { host: 'headless' } }) },
  }
  addFiles(slow as unknown as StationSession, 'f', [new File(['x'], 'slow.jpg')])
  expect(await runAction(session, 'approve', [syntheticSubmission('f')])).toMatchObject({
    changed: [],
    refused: [{ id: 'f' }],
  })
  expect(asked).toEqual([])
})

it('shows how far the station is, over all calls that it takes', async () => {
  const seen: (readonly [number, number])[] = []
  const progress = (done: number, total: number): void =>
    arrive({ kind: 'event', event: { name: 'callProgressed', revision: 1, payload: { done, total } } })
  const { session, arrive } = willing(({ ids }) => {
    progress(40, ids.length)
    // Of another window.
    progress(3, 7)
  })
  const ids = Array.from({ length: 1_200 }, (_, index) => String(index))
  const cases = ids.map((id) => syntheticSubmission(id))
  await runAction(session, 'prioritise', cases, (done, all) => seen.push([done, all]))
  expect(seen).toEqual([
    [40, 1_200],
    [1_000, 1_200],
    [1_040, 1_200],
    [1_200, 1_200],
  ])
  progress(5, 200)
  expect(seen).toHaveLength(4)
})

it('keeps every row in its place, puts new ones last, and lets go of what is gone', () => {
  expect(stableOrder(['a', 'b', 'c'], ['new', 'c', 'a'])).toEqual(['a', 'c', 'new'])
})

it('moves no row up under a pointer', () => {
  expect(stableOrder(['a', 'b', 'c'], ['new', 'c', 'a'], 'pointer')).toEqual(['a', 'b', 'c', 'new'])
})

const image = { fileName: 'visit/Mocksey_2.jpg' } as Image
const unreadable = { fileName: 'visit/Fiktief_3.jpg' } as UnusableFile
const OF = { fields: { last_name: 'Sampleton' }, images: [image], unusableFiles: [unreadable] }
afterEach(() => privacy.setState({ isHiddenByHand: false }))

function names(areHidden: boolean): Names {
  privacy.setState({ isHiddenByHand: areHidden })
  return namesNow()
}

it.each([
  { kind: 'valueConflict', field: 'last_name', message: 'Sampleton or Other?' },
  { kind: 'identityConflict', message: 'The folder says Other.' },
] as const)('does not cite names that are hidden: $kind', (reason) => {
  expect(reasonText(reason, OF, names(false))).toBe(reason.message)
  expect(reasonText(reason, OF, names(true))).not.toMatch(/Other|Sampleton/)
})

it.each([
  ['Sampleton_1.jpg', 'S\u2022\u2022\u2022_1.jpg'],
  // A file that spells the patient in another way than the case does.
  ['Mocksey_2.jpg', 'M\u2022\u2022\u2022_2.jpg'],
  // One that cannot be used.
  ['Fiktief_3.jpg', 'F\u2022\u2022\u2022_3.jpg'],
])('says all else without the names in %s', (file, masked) => {
  const reason = { kind: 'eyeUnknown', message: `Which eye shows ${file}?` } as const
  expect(reasonText(reason, OF, names(false))).toBe(reason.message)
  expect(reasonText(reason, OF, names(true))).toBe(`Which eye shows ${masked}?`)
})
