import { describe, expect, it } from 'vitest'
import { createStationEvents } from '../../../src-main/station/status.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { ManualClock } from '../../tools/manual-clock.ts'

const arrived = (caseId: string): { caseId: string; submissionId: string } => ({ caseId, submissionId: 's' })
const progress = (handedOverBytes: number) => ({
  stalledSince: null,
  id: 's',
  handedOverBytes,
  requestBytes: 9,
})

function heard() {
  const clock = new ManualClock()
  const events = createStationEvents(clock, createRecordingLogger())
  const all: StationEvent[] = []
  events.on((event) => void all.push(event))
  return { clock, events, all }
}

describe('the events of a station', () => {
  it('have revisions without a gap, and go to a listener until it stops', () => {
    const { events, all } = heard()
    expect(events.revision()).toBe(0)
    const other: StationEvent[] = []
    const stop = events.on((event) => void other.push(event))
    for (const caseId of ['1', '2', '3']) {
      events.emit('reportArrived', arrived(caseId))
      stop()
    }
    expect([all, other].map((one) => one.map(({ revision }) => revision))).toEqual([[1, 2, 3], [1]])
    expect(events.revision()).toBe(3)
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
    expect(all.at(-1)).toMatchObject({ payload: { handedOverBytes: 100 } })
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
