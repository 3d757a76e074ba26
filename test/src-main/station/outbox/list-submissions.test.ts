import { describe, expect, it } from 'vitest'
import { SUBMISSION_STATES } from '../../../../src-shared/states.ts'
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

function found(test: TestOutbox, search: string): string[] {
  return test.outbox.submissions.list({ search, limit: 100 }).items.map((item) => item.id)
}

/** The ids of all pages, each of which must state this total. */
function idsOfPages(
  test: TestOutbox,
  query: Parameters<TestOutbox['outbox']['submissions']['list']>[0],
  total: number,
): string[] {
  const seen: string[] = []
  for (;;) {
    const after = seen.at(-1)
    const page = test.outbox.submissions.list({ ...query, ...(after !== undefined && { after }) })
    expect(page.total).toBe(total)
    expect(page.items.length).toBeLessThanOrEqual(query.limit)
    if (page.items.length === 0) return seen
    seen.push(...page.items.map(({ id }) => id))
  }
}

describe('the list', () => {
  it('has the newest first, page by page, each exactly once', () => {
    const test = openTestOutbox()
    const ids = Array.from({ length: 7 }, () => test.outbox.submissions.create(newSubmission()))
    expect(idsOfPages(test, { limit: 3 }, 7)).toEqual(ids.toReversed())
  })

  it('does not move while new ones arrive between two pages', () => {
    const test = openTestOutbox()
    const ids = Array.from({ length: 4 }, () => test.outbox.submissions.create(newSubmission()))
    const first = test.outbox.submissions.list({ limit: 2 }).items.map((item) => item.id)
    test.outbox.submissions.create(newSubmission())
    const second = test.outbox.submissions
      .list({ limit: 2, after: first[1] ?? '' })
      .items.map((item) => item.id)
    expect([...first, ...second]).toEqual(ids.toReversed())
  })

  it('counts every state, also those that no one is in, whatever the page shows', () => {
    const test = openTestOutbox()
    addWaiting(test)
    addWaiting(test)
    test.outbox.submissions.create(newSubmission())
    const page = test.outbox.submissions.list({ state: ['waiting'], limit: 1 })
    expect(page.items).toHaveLength(1)
    expect(page.total).toBe(2)
    expect(page.counts).toEqual({
      ...Object.fromEntries(SUBMISSION_STATES.map((state) => [state, 0])),
      collecting: 1,
      waiting: 2,
    })
  })

  it('shows some states, or none', () => {
    const test = openTestOutbox()
    const waiting = addWaiting(test)
    const collecting = test.outbox.submissions.create(newSubmission())
    const shown = (state: ('waiting' | 'collecting' | 'sent')[]): string[] =>
      test.outbox.submissions.list({ state, limit: 9 }).items.map((item) => item.id)
    expect(shown(['waiting'])).toEqual([waiting])
    expect(shown(['collecting', 'waiting'])).toEqual([collecting, waiting])
    expect(shown(['sent'])).toEqual([])
    expect(shown([])).toEqual([])
  })
})

describe('a page of several states', () => {
  it('has the newest first across the states, page by page, each exactly once, a state named twice counted once', () => {
    const test = openTestOutbox()
    const shown: string[] = []
    for (let count = 0; count < 9; count += 1) {
      if (count % 3 === 0) test.outbox.submissions.create(newSubmission())
      else {
        const id = addWaiting(test)
        if (count % 3 === 1) test.outbox.submissions.transition(id, 'held', {}, { at: MORNING })
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
    test.outbox.reports.saveVersion({
      submission_id: many,
      case_id: '778899',
      kind: 'html',
      content_type: 'text/html',
      size_bytes: 1,
      sha256: '0'.repeat(64),
      file_name: 'a.html',
      fetched_at: MORNING,
    })
    const { items } = test.outbox.submissions.list({ limit: 9 })
    expect(items).toEqual(ids.toReversed().map((id) => test.outbox.submissions.get(id)))
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
    const id = test.outbox.submissions.create(
      newSubmission({ fields: { ...fields, visit_date: '2026-11-20', age: 61 } }),
    )
    test.outbox.submissions.create(
      newSubmission({ fields: { history_number: 'H-00018', first_name: 'Ada' } }),
    )
    const reference = test.outbox.submissions.get(id)?.reference ?? ''
    const terms = ['00017', 'h-00017', 'zoe', 'ZOË', 'o’brien', "o'br", 'muller', 'müll', '2026-11-20']
    for (const term of [...terms, reference, reference.toLowerCase(), 'zoe muller'])
      expect(found(test, term), term).toEqual([id])
    for (const term of ['zoe ada', 'rien', '00019', 'zzz']) expect(found(test, term), term).toEqual([])
  })

  it('finds a name whose accents were typed as marks of their own', () => {
    const test = openTestOutbox()
    const id = test.outbox.submissions.create(newSubmission({ fields: { last_name: 'Müller' } }))
    expect(found(test, 'Müller'.normalize('NFD'))).toEqual([id])
  })

  it.each([
    '"',
    "' OR 1=1 --",
    'NEAR(a b)',
    'a" OR "b',
    '* ^ : ( ) { }',
    'history_number:x',
    'NOT',
    '%',
    '\\',
  ])('takes %j for terms and never for commands', (search) => {
    const test = openTestOutbox()
    test.outbox.submissions.create(newSubmission())
    expect(() => found(test, search)).not.toThrow()
  })

  it('follows an edit', () => {
    const test = openTestOutbox()
    const id = test.outbox.submissions.create(newSubmission({ fields: { history_number: 'OLD1' } }))
    test.outbox.submissions.setContent(
      id,
      { fields: { history_number: 'NEW2' }, sources: {}, reasons: [] },
      MORNING,
    )
    expect(found(test, 'OLD1')).toEqual([])
    expect(found(test, 'NEW2')).toEqual([id])
  })

  it("finds a sent submission by the service's id at once", () => {
    const test = openTestOutbox()
    const id = sentCase(test, '778899')
    expect(found(test, '778899')).toEqual([id])
  })
})
