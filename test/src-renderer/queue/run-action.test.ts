import { expect, it } from 'vitest'
import type { Changed } from '../../../src-shared/contract.ts'
import { succeed, type Result } from '../../../src-shared/result.ts'
import { runAction } from '../../../src-renderer/queue/run-action.ts'
import type { StationSession } from '../../../src-renderer/store/station-session.ts'
import { forgetDraft, typeInto } from '../../../src-renderer/submission/drafts.ts'

/** Does all that it is asked to. */
function willing(): { readonly session: StationSession; readonly asked: unknown[] } {
  const asked: unknown[] = []
  const call = (name: string, { ids }: { readonly ids: string[] }): Promise<Result<Changed>> => {
    asked.push([name, ids])
    return Promise.resolve(succeed({ changed: ids, refused: [] }))
  }
  return { session: { call } as unknown as StationSession, asked }
}

it.each(['approve', 'release', 'retry', 'closeNow'] as const)(
  '%s leaves a case where it is whose draft is not saved, and takes the others',
  async (action) => {
    typeInto('b', 'od_iop', '300', undefined)
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
  typeInto('b', 'od_iop', '300', undefined)
  const { session } = willing()
  expect(await runAction(session, 'hold', ['b'])).toEqual({ changed: ['b'], refused: [] })
  forgetDraft('b', { od_iop: '300' }, {})
})
