import { describe, expect, it } from 'vitest'
import { createStationEvents } from '../../../src-main/station/status.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { ManualClock } from '../../tools/manual-clock.ts'

const arrived = (caseId: string): { caseId: string; submissionId: string } => ({ caseId, submissionId: 's' })
const progress = (
  handedOverBytes: number,
): { id: string; handedOverBytes: number; requestBytes: number; stalledSince: number | null } => ({
  stalledSince: null,
  id: 's',
  handedOverBytes,
  requestBytes: 9,
})

function heard(): {
  readonly clock: ManualClock
  readonly events: ReturnType<typeof createStationEvents>
  readonly all: StationEvent[]
} {
  const clock = new ManualClock()
  const events = createStationEvents(clock, createRecordingLogger())
  const all: StationEvent[] = []
  events.on((event) => void all.push(event))
  return { clock, events, all }
}

describe('the events of a station', () => {
  it('have revisions without a gap', () => {
    const { events, all } = heard()
    expect(events.revision()).toBe(0)
    for (const caseId of ['1', '2', '3']) events.emit('reportArrived', arrived(caseId))
    expect(all.map(({ revision }) => revision)).toEqual([1, 2, 3])
    expect(events.revision()).toBe(3)
  })

  it('go to every listener, until it stops', () => {
    const { events, all } = heard()
    const other: StationEvent[] = []
    const stop = events.on((event) => void other.push(event))
    events.emit('reportArrived', arrived('1'))
    stop()
    events.emit('reportArrived', arrived('2'))
    expect([all.length, other.length]).toEqual([2, 1])
  })

  it('reach the others if one listener fails', () => {
    const clock = new ManualClock()
    const logger = createRecordingLogger()
    const events = createStationEvents(clock, logger)
    const all: StationEvent[] = []
    events.on(() => {
      throw new TypeError('a defect')
    })
    events.on((event) => void all.push(event))
    events.emit('reportArrived', arrived('1'))
    expect(all).toHaveLength(1)
    expect(logger.errors()).toEqual(['a listener failed'])
  })

  it('of a busy source are emitted a few times a second, and the last one always', async () => {
    const { clock, events, all } = heard()
    for (let bytes = 1; bytes <= 100; bytes += 1) {
      events.emitThrottled('deliveryProgressed', 's', () => progress(bytes))
      await clock.turn(10)
    }
    expect(all.length).toBeLessThanOrEqual(5)
    await clock.turn(1_000)
    expect(all.length).toBeLessThanOrEqual(6)
  })

  it('of a busy source carry the newest payload', async () => {
    const { clock, events, all } = heard()
    for (const bytes of [1, 2, 3]) events.emitThrottled('deliveryProgressed', 's', () => progress(bytes))
    await clock.turn(1_000)
    expect(all).toMatchObject([{ payload: { handedOverBytes: 3 } }])
  })

  it('of several sources do not hide each other', async () => {
    const { clock, events, all } = heard()
    events.emitThrottled('deliveryProgressed', 'a', () => ({ ...progress(1), id: 'a' }))
    events.emitThrottled('deliveryProgressed', 'b', () => ({ ...progress(1), id: 'b' }))
    events.emitThrottled('deliveryProgressed', 'c', () => null)
    await clock.turn(1_000)
    expect(all.map((event) => (event.name === 'deliveryProgressed' ? event.payload.id : ''))).toEqual([
      'a',
      'b',
    ])
  })

  it('are over when they are closed', async () => {
    const { clock, events, all } = heard()
    events.emitThrottled('deliveryProgressed', 's', () => progress(1))
    events.close()
    events.emit('reportArrived', arrived('1'))
    await clock.turn(1_000)
    expect(all).toEqual([])
  })
})
