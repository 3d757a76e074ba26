import { expect, it } from 'vitest'
import { createBroadcast, type LinkMessage } from '../../../src-renderer/link/link.ts'
import { runAction } from '../../../src-renderer/queue/run-action.ts'
import type { StationSession } from '../../../src-renderer/store/store.ts'
import { forgetDraft, setDraftField } from '../../../src-renderer/submission/draft.ts'
import type { BulkResult } from '../../../src-shared/contract.ts'
import { type Result, succeed } from '../../../src-shared/failure.ts'

/** Does all that it is asked to. */
function willing(): {
  readonly session: StationSession
  readonly asked: unknown[]
  readonly arrive: (arrival: LinkMessage) => void
} {
  const asked: unknown[] = []
  const call = (name: string, { ids }: { readonly ids: string[] }): Promise<Result<BulkResult>> => {
    asked.push([name, ids])
    return Promise.resolve(succeed({ changed: ids, refused: [] }))
  }
  const arrivals = createBroadcast<LinkMessage>()
  const session = { call, link: { onMessage: arrivals.subscribe } } as unknown as StationSession
  return { session, asked, arrive: (arrival) => arrivals.emit(arrival) }
}

it.each(['approve', 'release', 'retry', 'closeNow'] as const)(
  '%s leaves a case where it is whose draft is not saved, and takes the others',
  async (action) => {
    setDraftField('b', 'od_iop', '300', undefined)
    const { session, asked } = willing()
    expect(await runAction(session, action, ['a', 'b', 'c'])).toMatchObject({
      changed: ['a', 'c'],
      refused: [
        { id: 'b', failure: { message: 'This case has changes that are not saved. Open it first.' } },
      ],
    })
    expect(asked).toEqual([[`submissions.${action}`, ['a', 'c']]])
    forgetDraft('b', { od_iop: '300' }, {})
    expect(await runAction(session, action, ['b'])).toEqual({ changed: ['b'], refused: [] })
  },
)

it('holds a case back whatever is typed into it', async () => {
  setDraftField('b', 'od_iop', '300', undefined)
  const { session } = willing()
  expect(await runAction(session, 'hold', ['b'])).toEqual({ changed: ['b'], refused: [] })
  forgetDraft('b', { od_iop: '300' }, {})
})

it('shows how far the station is, over all calls that it takes', async () => {
  const { session, arrive } = willing()
  const seen: (readonly [number, number])[] = []
  const answerOf = session.call.bind(session)
  const progress = (done: number, total: number): void =>
    arrive({ kind: 'event', event: { name: 'callProgressed', revision: 1, payload: { done, total } } })
  const calling = {
    ...session,
    call: (...[name, input]: Parameters<typeof session.call>) => {
      const { ids } = input as { readonly ids: readonly string[] }
      progress(40, ids.length)
      // Of another window.
      progress(3, 7)
      return answerOf(name, input)
    },
  } as StationSession
  const ids = Array.from({ length: 1_200 }, (_, index) => String(index))
  await runAction(calling, 'prioritise', ids, { onProgress: (done, all) => seen.push([done, all]) })
  expect(seen).toEqual([
    [40, 1_200],
    [1_000, 1_200],
    [1_040, 1_200],
    [1_200, 1_200],
  ])
  progress(5, 200)
  expect(seen).toHaveLength(4)
})
