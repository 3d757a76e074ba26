/** When the time to undo ends, by whatever the clock and the disk do. */
import { expect, it, onTestFinished } from 'vitest'
import { openUndo } from '../../../../src-main/station/cases/undo.ts'
import type { Outbox } from '../../../../src-main/station/outbox/outbox.ts'
import { DAY, SECOND } from '../../../../src-shared/durations.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'

/** With an outbox of the lengths alone, and a disk that refuses as long as it is full. */
function timesOf(stored: Readonly<Record<string, number>>) {
  const clock = new ManualClock()
  const lengths = new Map(Object.entries(stored))
  const ended: string[] = []
  const disk = { isFull: false, whileItWrites: (): void => undefined }
  const outbox = {
    undoable: () => [...lengths].map(([id, undoMs]) => ({ id, undoMs })),
    makeApprovalFinal: (id: string) => lengths.delete(id),
    rowOf: (id: string) => ({ id }),
  } as unknown as Outbox
  const undo = openUndo({
    outbox,
    clock,
    logger: createRecordingLogger(),
    forEach: async (ids, act) => {
      disk.whileItWrites()
      if (!disk.isFull) for (const id of ids) act({ id } as never)
    },
    onFinal: ({ id }) => void ended.push(id),
  })
  onTestFinished(() => undo.close())
  const approve = (id: string, ms: number): void => {
    lengths.set(id, ms)
    undo.start(id, ms)
  }
  const until = (id: string): number | null => undo.shown({ id, undoMs: lengths.get(id) ?? null }).undoUntil
  return { clock, undo, ended, disk, lengths, approve, until }
}

it('each ends at its own instant, and a second approval counts from its own', async () => {
  const { clock, undo, ended, lengths, approve } = timesOf({})
  undo.begin()
  approve('one', 8_000)
  await clock.turn(4_000)
  approve('two', 8_000)
  lengths.delete('one')
  approve('one', 8_000)
  await clock.turn(7_999)
  expect(ended).toEqual([])
  await clock.turn(1)
  expect(ended.toSorted()).toEqual(['one', 'two'])
})

it('none counts before the station works, then all in full', async () => {
  const { clock, undo, ended, approve, until } = timesOf({ stored: 8_000 })
  approve('one', 8_000)
  await clock.turn(DAY)
  expect([ended, until('stored')]).toEqual([[], clock.now() + 8_000])
  undo.begin()
  await clock.turn(7_999)
  expect([ended, until('one')]).toEqual([[], clock.now() + 1])
  await clock.turn(1)
  expect(ended).toEqual(['stored', 'one'])
})

it.each([-365 * DAY, 365 * DAY])('a clock that is set by %i ms changes nothing', async (byMs) => {
  const { clock, undo, ended, approve, until } = timesOf({})
  undo.begin()
  approve('one', 8_000)
  await clock.turn(4_000)
  clock.set(byMs)
  expect(until('one')).toBe(clock.now() + 4_000)
  await clock.turn(3_999)
  expect(ended).toEqual([])
  await clock.turn(1)
  expect(ended).toEqual(['one'])
})

it('what a full disk does not let end is tried again', async () => {
  const { clock, undo, ended, disk, approve } = timesOf({})
  undo.begin()
  disk.isFull = true
  approve('one', 8_000)
  await clock.turn(9_000)
  disk.isFull = false
  expect(ended).toEqual([])
  await clock.turn(30 * SECOND)
  expect(ended).toEqual(['one'])
})

it('one that the outbox has and no call announced counts from when it is seen', async () => {
  const { clock, undo, ended, lengths, approve } = timesOf({})
  undo.begin()
  await clock.turn(0)
  lengths.set('unheard', 8_000)
  approve('one', 8_000)
  await clock.turn(8_000)
  expect(ended.toSorted()).toEqual(['one', 'unheard'])
})

it('one that is taken back and approved again while others end has its whole time', async () => {
  const { clock, undo, ended, disk, lengths, approve } = timesOf({})
  undo.begin()
  for (const id of ['one', 'two']) approve(id, 8_000)
  disk.whileItWrites = () => {
    disk.whileItWrites = () => undefined
    lengths.delete('two')
    approve('two', 8_000)
  }
  await clock.turn(15_999)
  expect(ended).toEqual(['one'])
  await clock.turn(1)
  expect(ended).toEqual(['one', 'two'])
})

it('nothing ends after the station has closed', async () => {
  const { clock, undo, ended, approve } = timesOf({})
  undo.begin()
  approve('one', 8_000)
  await undo.close()
  await clock.turn(DAY)
  expect(ended).toEqual([])
})
