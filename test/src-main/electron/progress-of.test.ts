import { describe, expect, it } from 'vitest'
import {
  INITIAL_MODEL,
  type Progress,
  reduceModel,
  taskbarProgress,
  type TrayModel,
} from '../../../src-main/electron/tray-model.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { paused, statusWith, TROUBLE } from './status-with.ts'

type Changes = Parameters<typeof statusWith>[0]

const glanceOf = (changes: Changes, ...transfers: readonly (readonly [number, number])[]): TrayModel => ({
  status: statusWith(changes),
  transfers: new Map(
    transfers.map(([handedOverBytes, requestBytes], index) => [
      `s${index}`,
      { handedOverBytes, requestBytes },
    ]),
  ),
})
const none: Progress = { kind: 'none' }
const unknown: Progress = { kind: 'indeterminate' }
const sending = { counts: { sending: 1 } }
const waiting = { counts: { waiting: 1 } }

describe('the bar', () => {
  it.each<[string, TrayModel, Progress, Progress]>([
    ['before the first status', INITIAL_MODEL, none, none],
    ['with nothing to do', glanceOf({}), none, none],
    ['while cases wait for their turn', glanceOf(waiting), none, none],
    ['while nothing is known of a transfer', glanceOf(sending), unknown, unknown],
    [
      'half way',
      glanceOf(sending, [50, 100]),
      { kind: 'normal', fraction: 0.5 },
      { kind: 'normal', fraction: 0.5 },
    ],
    [
      'of two transfers',
      glanceOf({ counts: { sending: 2 } }, [100, 100], [20, 300]),
      { kind: 'normal', fraction: 0.3 },
      { kind: 'normal', fraction: 0.3 },
    ],
    ['when all is handed over and no answer came', glanceOf(sending, [100, 100]), unknown, unknown],
    [
      'a breath before the end',
      glanceOf(sending, [999_999, 1_000_000]),
      { kind: 'normal', fraction: 0.99 },
      { kind: 'normal', fraction: 0.99 },
    ],
    ['in a pause with nothing to do', glanceOf({ mode: paused('person') }), none, none],
    [
      'in a pause while cases wait',
      glanceOf({ mode: paused('person'), ...waiting }),
      { kind: 'paused', fraction: 1 },
      none,
    ],
    [
      'in a pause while one still goes',
      glanceOf({ mode: paused('person'), ...sending }, [20, 100]),
      { kind: 'paused', fraction: 0.2 },
      { kind: 'normal', fraction: 0.2 },
    ],
    ['offline with nothing to do', glanceOf({ service: TROUBLE }), none, none],
    [
      'offline while cases wait',
      glanceOf({ service: TROUBLE, ...waiting }),
      { kind: 'error', fraction: 1 },
      none,
    ],
    [
      'signed out while cases wait',
      glanceOf({ mode: paused('signedOut'), ...waiting }),
      { kind: 'error', fraction: 1 },
      none,
    ],
    [
      'on a failing disk',
      glanceOf({ storage: failureOf('storage'), ...waiting }),
      { kind: 'error', fraction: 1 },
      none,
    ],
    ['on a disk that is nearly full', glanceOf({ storage: failureOf('diskLow'), ...waiting }), none, none],
  ])('%s', (_name, glance, onWindows, elsewhere) => {
    expect(taskbarProgress(glance, 'win32')).toEqual(onWindows)
    expect(taskbarProgress(glance, 'darwin')).toEqual(elsewhere)
    expect(taskbarProgress(glance, 'linux')).toEqual(elsewhere)
  })
})

describe('what is known of transfers', () => {
  const progressed = (id: string, handedOverBytes: number): StationEvent => ({
    name: 'deliveryProgressed',
    revision: 1,
    payload: { id, handedOverBytes, requestBytes: 100, stalledSince: null },
  })
  const changed = (id: string, state: string): StationEvent =>
    ({ name: 'submissionChanged', revision: 1, payload: { id, state } }) as StationEvent
  const status = (changes: Changes): StationEvent => ({
    name: 'stationChanged',
    revision: 1,
    payload: statusWith(changes),
  })
  const after = (...events: readonly StationEvent[]): TrayModel => events.reduce(reduceModel, INITIAL_MODEL)

  it('follows the bytes of each and forgets one that is over', () => {
    const two = after(
      status({ counts: { sending: 2 } }),
      progressed('a', 10),
      progressed('b', 20),
      progressed('a', 40),
    )
    expect(taskbarProgress(two, 'linux')).toEqual({ kind: 'normal', fraction: 0.3 })
    const one = [changed('b', 'sending'), changed('a', 'sent'), changed('c', 'review')].reduce(
      reduceModel,
      two,
    )
    expect([...one.transfers.keys()]).toEqual(['b'])
  })

  it('forgets those that have changed with many others, until their next bytes', () => {
    const many: StationEvent = { name: 'submissionsChanged', revision: 2, payload: { ids: ['a', 'x'] } }
    const one = after(status(sending), progressed('a', 10), progressed('b', 20), many)
    expect([...one.transfers.keys()]).toEqual(['b'])
    expect([...reduceModel(one, progressed('a', 30)).transfers.keys()]).toEqual(['b', 'a'])
  })

  it('forgets all when the status says that nothing is being sent', () => {
    const done = after(status(sending), progressed('a', 10), status({}))
    expect([...done.transfers.keys()]).toEqual([])
  })

  it('stays the same object where an event says nothing of it', () => {
    const glance = after(status(sending), progressed('a', 10))
    expect(reduceModel(glance, changed('x', 'sent'))).toBe(glance)
    expect(
      reduceModel(glance, {
        name: 'reportArrived',
        revision: 2,
        payload: { caseId: '1', submissionId: 's' },
      }),
    ).toBe(glance)
  })
})
