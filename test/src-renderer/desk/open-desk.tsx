/** The desk in a window whose clock a test turns: its cases, and how long their pictures were in view. */
import { expect, vi } from 'vitest'
import type { BulkResult, CallInput } from '../../../src-shared/contract.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { type Answers, find } from '../open-window.tsx'
import { countsOf, detailsOf, PROVEN, syntheticImage, syntheticSubmission } from '../synthetic-submission.ts'

/** The part of the desk beside the list is loaded when it is shown first. */
const LOADED = { timeout: 10_000, interval: 10 }

/** The page's clock, which tests turn. */
let clock = 0

/** Before each test: its clock stands, and pictures are decoded once they are there. */
export function startClock(): void {
  clock = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue()
}

export function passes(ms: number): void {
  clock += ms
}

const { who: STATED } = PROVEN

export const caseOf = (id: string, rest: Partial<Submission> = {}): Submission =>
  syntheticSubmission(id, {
    fields: { history_number: id },
    images: [syntheticImage(`${id}-od`, 'right'), syntheticImage(`${id}-os`, 'left')],
    verdict: { ...PROVEN, eyes: { [`${id}-od`]: STATED, [`${id}-os`]: STATED } },
    ...rest,
  })

const willing = ({ ids }: CallInput<'submissions.approve'>): BulkResult => ({
  changed: [...ids],
  refused: [],
})

export function withCases(cases: readonly Submission[], answers: Answers = {}): Answers {
  return {
    'submissions.list': { items: [...cases], total: cases.length, counts: countsOf() },
    'submissions.get': ({ id }) => detailsOf(cases.find((one) => one.id === id) ?? caseOf(id)),
    'submissions.approve': willing,
    ...answers,
  }
}

export const link = (id: string) => find('link', new RegExp(`^Open ${id}`))

/** The pictures of the case arrive and are decoded; then so many milliseconds go by. */
export async function showFor(id: string, ms: number): Promise<void> {
  for (const eye of ['od', 'os'])
    await vi.waitFor(() => {
      const picture = document.querySelector(`[data-image="${id}-${eye}"] img`)
      if (!picture) throw new Error(`no picture ${id}-${eye}`)
      picture.dispatchEvent(new Event('load'))
    })
  await vi.waitFor(() => expect(isPainted()).toBe(true), LOADED)
  passes(ms)
}

export const isPainted = (): boolean =>
  document.querySelector('section[aria-label="Selected case"]')?.getAttribute('aria-busy') === 'false'

export function pressCtrlZ(repeat = false): void {
  document.documentElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, repeat }),
  )
}
