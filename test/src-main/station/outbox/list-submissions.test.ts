import { describe, expect, it } from 'vitest'
import { SUBMISSION_STATES, STATES_BY_URGENCY, type SubmissionState } from '../../../../src-shared/states.ts'
import {
  addTestImage,
  addWaiting,
  MORNING,
  newSubmission,
  openTestOutbox,
  someBytes,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
import { sentCase } from '../../../tools/sent-case.ts'
import { caseIn, reportVersion } from './case-in.ts'

function found(test: TestOutbox, search: string): string[] {
  return test.outbox.listSubmissions({ search, limit: 100 }).items.map((item) => item.id)
}

/** The ids of all pages, each of which must state this total. */
function idsOfPages(
  test: TestOutbox,
  query: Parameters<TestOutbox['outbox']['listSubmissions']>[0],
  total: number,
): string[] {
  const seen: string[] = []
  for (;;) {
    const after = seen.at(-1)
    const page = test.outbox.listSubmissions({ ...query, ...(after !== undefined && { after }) })
    expect(page.total).toBe(total)
    expect(page.items.length).toBeLessThanOrEqual(query.limit)
    if (page.items.length === 0) return seen
    seen.push(...page.items.map(({ id }) => id))
  }
}

describe('the list', () => {
  it('has the newest first, page by page, each exactly once, also while new ones arrive', () => {
    const test = openTestOutbox()
    const ids = Array.from({ length: 7 }, () => test.outbox.createSubmission(newSubmission()))
    expect(idsOfPages(test, { limit: 3 }, 7)).toEqual(ids.toReversed())
    test.outbox.createSubmission(newSubmission())
    const rest = test.outbox.listSubmissions({ limit: 9, after: ids[5] ?? '' }).items
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(0, 5).toReversed())
  })

  it('counts every state, also those that no one is in, whatever the page shows', () => {
    const test = openTestOutbox()
    addWaiting(test)
    addWaiting(test)
    test.outbox.createSubmission(newSubmission())
    const page = test.outbox.listSubmissions({ state: ['waiting'], limit: 1 })
    expect([page.items.length, page.total]).toEqual([1, 2])
    expect(test.outbox.listSubmissions({ state: ['sent'], limit: 9 }).items).toEqual([])
    expect(test.outbox.listSubmissions({ state: [], limit: 9 }).items).toEqual([])
    expect(page.counts).toEqual({
      ...Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])),
      collecting: 1,
      waiting: 2,
    })
  })
})

describe('a page of several states', () => {
  it('has the newest first across the states, page by page, each exactly once, a state named twice counted once', () => {
    const test = openTestOutbox()
    const shown: string[] = []
    for (let count = 0; count < 9; count += 1) {
      if (count % 3 === 0) test.outbox.createSubmission(newSubmission())
      else {
        const id = addWaiting(test)
        if (count % 3 === 1) test.outbox.moveSubmission(id, 'held', {}, { at: MORNING })
        shown.unshift(id)
      }
    }
    const state = ['held', 'waiting', 'held'] as const
    expect(idsOfPages(test, { state: [...state], limit: 4 }, 6)).toEqual(shown)
  })

  it('shows each case with its own images in the order of their names, and says which has a report', () => {
    const test = openTestOutbox()
    const ids = [addWaiting(test, { images: [] }), addWaiting(test), addWaiting(test, { images: [] })]
    const [none = '', , many = ''] = ids
    for (const fileName of ['visit/b.jpg', 'visit/a.jpg', 'visit/c.jpg'])
      addTestImage(test, many, { bytes: someBytes(), fileName })
    test.outbox.saveReportVersion(reportVersion(many, '778899', { kind: 'html' }))
    const { items } = test.outbox.listSubmissions({ limit: 9 })
    expect(items).toEqual(ids.toReversed().map((id) => test.outbox.submissionOf(id)))
    expect(items[0]?.images.map((image) => image.fileName)).toEqual([
      'visit/a.jpg',
      'visit/b.jpg',
      'visit/c.jpg',
    ])
    expect(items.map((item) => item.hasReport)).toEqual([true, false, false])
    expect(items.find((item) => item.id === none)?.images).toEqual([])
  })
})

describe('a search', () => {
  it('finds the beginnings of terms in number, name, date and reference, all of them', () => {
    const test = openTestOutbox()
    const fields = { history_number: 'H-00017', first_name: 'Zoë', last_name: "O'Brien-Müller" }
    const id = test.outbox.createSubmission(
      newSubmission({ fields: { ...fields, visit_date: '2026-11-20', age: 61 } }),
    )
    test.outbox.createSubmission(newSubmission({ fields: { history_number: 'H-00018', first_name: 'Ada' } }))
    const reference = test.outbox.submissionOf(id)?.reference ?? ''
    const terms = ['00017', 'h-00017', 'zoe', 'ZOË', 'o’brien', "o'br", 'muller', 'müll', '2026-11-20']
    for (const term of [
      ...terms,
      reference,
      reference.toLowerCase(),
      'zoe muller',
      'Müller'.normalize('NFD'),
    ])
      expect(found(test, term), term).toEqual([id])
    for (const term of ['zoe ada', 'rien', '00019', 'zzz']) expect(found(test, term), term).toEqual([])
    const edited = { fields: { history_number: 'NEW2' }, sources: {}, reasons: [] }
    test.outbox.setContent(id, edited, MORNING)
    expect([found(test, '00017'), found(test, 'NEW2')]).toEqual([[], [id]])
    const sent = sentCase(test, '778899')
    expect(found(test, '778899')).toEqual([sent])
  })

  it('takes what is typed for terms and never for commands', () => {
    const test = openTestOutbox()
    test.outbox.createSubmission(newSubmission())
    for (const search of [
      '"',
      "' OR 1=1 --",
      'NEAR(a b)',
      'a" OR "b',
      '* ^ : ( ) { }',
      'number:x',
      'NOT',
      '%',
      '\\',
    ])
      expect(() => found(test, search), search).not.toThrow()
  })
})

const FIELDS = { history_number: 'H-7', last_name: 'Testova' }

function inState(test: TestOutbox, state: SubmissionState, isUrgent = false): string {
  const id = caseIn(test, state, { fields: FIELDS })
  if (isUrgent) test.outbox.setUrgent(id, MORNING)
  return id
}

type Query = { readonly state?: SubmissionState[]; readonly search?: string }

/** Leafs through everything as the screens do; `between` happens after each page. */
function leaf(test: TestOutbox, limit: number, query: Query = {}, between = () => {}): string[] {
  const seen: string[] = []
  for (let cursor = {}; ;) {
    const { items } = test.outbox.listSubmissions({ ...query, order: 'urgency', limit, ...cursor })
    seen.push(...items.map(({ id }) => id))
    const last = items.at(-1)
    if (!last) return seen
    cursor = { after: last.id, afterWas: { state: last.state, urgent: last.urgent } }
    between()
  }
}

/** Two of every state, made the wrong way round; in the order of the queue. */
function twoOfEach(test: TestOutbox): readonly string[] {
  const made = new Map<string, string[]>()
  for (let round = 0; round < 2; round += 1)
    for (const state of STATES_BY_URGENCY.toReversed()) {
      const id = inState(test, state)
      made.set(state, [...(made.get(state) ?? []), id])
    }
  return STATES_BY_URGENCY.flatMap((state) => {
    const ids = made.get(state) ?? []
    return state === 'sent' || state === 'discarded' ? ids.toReversed() : ids
  })
}

describe('the list by urgency', () => {
  it.each([{ query: {} }, { query: { search: 'testo' } }])(
    'has what a person must mend first, the oldest first, and what is over at the end, the newest first: $query',
    ({ query }) => {
      const test = openTestOutbox()
      const wanted = twoOfEach(test)
      for (const limit of [1, 3, 100]) expect(leaf(test, limit, query)).toEqual(wanted)
      const state: SubmissionState[] = ['waiting', 'review', 'sent']
      const some = wanted.filter((id) => state.includes(test.outbox.rowOf(id)?.state ?? 'held'))
      expect(leaf(test, 2, { ...query, state })).toEqual(some)
      expect(leaf(test, 2, { ...query, state: [] })).toEqual([])
    },
  )

  it('has the urgent ones of those that wait first, and a mark of urgency elsewhere moves nothing', () => {
    const test = openTestOutbox()
    const [one, two] = [inState(test, 'waiting'), inState(test, 'waiting')]
    const three = inState(test, 'waiting', true)
    const [four, five] = [inState(test, 'review'), inState(test, 'review', true)]
    for (const query of [{}, { search: 'h' }])
      expect(leaf(test, 1, query)).toEqual([four, five, three, one, two])
  })

  it('shows each that stays if it is once, though the last of a page moves on before the next is read', () => {
    const test = openTestOutbox()
    const ids = Array.from({ length: 9 }, () => inState(test, 'review'))
    const rest = inState(test, 'waiting')
    const moved: string[] = []
    const seen = leaf(test, 3, { state: ['review', 'waiting'] }, () => {
      const last = ids[moved.length * 3 + 2]
      if (last === undefined || moved.length === 2) return
      moved.push(last)
      // One goes to the end of the list, the other out of it.
      test.outbox.moveSubmission(last, moved.length === 1 ? 'approved' : 'held', {}, { at: MORNING })
    })
    expect(moved).toHaveLength(2)
    expect(seen.filter((id) => !moved.includes(id))).toEqual(
      [...ids, rest].filter((id) => !moved.includes(id)),
    )
  })

  it('goes on if a case was that someone has called urgent since', () => {
    const test = openTestOutbox()
    const [one = '', two, three] = Array.from({ length: 3 }, () => inState(test, 'waiting'))
    const first = test.outbox.listSubmissions({ order: 'urgency', limit: 1 })
    expect(first.items.map(({ id }) => id)).toEqual([one])
    test.outbox.setUrgent(one, MORNING + 1)
    const next = {
      order: 'urgency',
      limit: 9,
      after: one,
      afterWas: { state: 'waiting', urgent: false },
    } as const
    expect(test.outbox.listSubmissions(next).items.map(({ id }) => id)).toEqual([two, three])
    // If no one says how it stood, it goes on from the place of the case now.
    const { afterWas: _unknown, ...unsaid } = next
    expect(test.outbox.listSubmissions(unsaid).items.map(({ id }) => id)).toEqual([two, three])
  })

  it('gives nothing after an id that is not there', () => {
    const test = openTestOutbox()
    addWaiting(test, { fields: FIELDS })
    for (const query of [{}, { search: 'testo' }, { order: 'added' as const }]) {
      const page = test.outbox.listSubmissions({ order: 'urgency', limit: 2, after: 'gone', ...query })
      expect([page.items, page.total]).toEqual([[], 1])
    }
  })
})

describe('a word that is in thousands of cases', () => {
  it('is found page by page in either order and in any states, each once, with the total', () => {
    const test = openTestOutbox()
    const of: Record<'review' | 'held', string[]> = { review: [], held: [] }
    test.outbox.write(() => {
      for (let index = 0; index < 2_300; index += 1) {
        const state = index % 23 === 0 ? 'held' : 'review'
        of[state].push(inState(test, state))
        if (index % 500 === 0) test.outbox.createSubmission(newSubmission({ fields: { last_name: 'Other' } }))
      }
    })
    const search = 'testo'
    expect(leaf(test, 700, { search })).toEqual([...of.review, ...of.held])
    expect(leaf(test, 90, { search, state: ['held', 'sent'] })).toEqual(of.held)
    const total = (state: SubmissionState[]): number =>
      test.outbox.listSubmissions({ search, state, limit: 1 }).total
    expect([total(['held']), total(['review', 'held']), total(['sent'])]).toEqual([100, 2_300, 0])
    const newest = test.outbox
      .listSubmissions({ search, state: ['held'], limit: 60 })
      .items.map(({ id }) => id)
    const older = test.outbox.listSubmissions({
      search,
      state: ['held'],
      limit: 60,
      after: newest[59] ?? '',
    })
    expect([...newest, ...older.items.map(({ id }) => id)]).toEqual(of.held.toReversed())
  })
})
