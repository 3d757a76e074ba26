/** The files of the outbox are removed or replaced under a running station, as by a clean-up or a restored backup. */
import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, vi } from 'vitest'
import { openStation } from '../../../src-main/station/station.ts'
import { recoverOutbox } from '../../../src-main/station/outbox/recovery/recover.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { addWaiting, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { started } from './started.ts'

const FILES = ['outbox.sqlite', 'outbox.sqlite-wal']

async function open(dataFolder: string) {
  const clock = new ManualClock()
  return { clock, ...(await started({}, { dataFolder, clock })) }
}

it.each([
  ['all removed', (folder: string) => FILES.forEach((name) => rmSync(join(folder, name)))],
  ['without their log', (folder: string) => rmSync(join(folder, 'outbox.sqlite-wal'))],
  [
    'replaced by a copy',
    (folder: string) => {
      copyFileSync(join(folder, 'outbox.sqlite'), join(folder, 'copy'))
      renameSync(join(folder, 'copy'), join(folder, 'outbox.sqlite'))
    },
  ],
] as const)(
  '%s: nothing is written any more, and what they held is in a new backup',
  async (_name, remove) => {
    const dataFolder = temporaryFolder()
    const test = openTestOutbox(dataFolder)
    const waiting = addWaiting(test)
    test.close()
    const { station, clock, answer } = await open(dataFolder)
    expect(await answer('submissions.hold', { ids: [waiting] })).toMatchObject({ ok: true })

    remove(dataFolder)
    await clock.turn(MINUTE)
    expect(await answer('station.status')).toMatchObject({
      value: { storage: { kind: 'storage', wording: { key: 'outbox:disk.displaced' } } },
    })
    expect(await answer('submissions.release', { ids: [waiting] })).toMatchObject({ ok: false })
    const backups = join(dataFolder, 'backups')
    await vi.waitFor(
      () => expect(readdirSync(backups).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1),
      20_000,
    )
    await station.stop()

    // As a person would who is offered it.
    await recoverOutbox(dataFolder, clock.now())
    const again = await open(dataFolder)
    const { items } = ((await again.answer('submissions.list')) as { value: { items: { id: string }[] } })
      .value
    expect(items.map(({ id }) => id)).toEqual([waiting])
  },
)

it('with a case that cannot be read: the new backup is made all the same', async () => {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  const id = addWaiting(test)
  test.close()
  const sql = new Database(join(dataFolder, 'outbox.sqlite'))
  sql.prepare("UPDATE submissions SET reasons = '[7' WHERE id = ?").run(id)
  sql.close()
  const { station, clock } = await open(dataFolder)
  FILES.forEach((name) => rmSync(join(dataFolder, name)))
  await clock.turn(MINUTE)
  const backups = join(dataFolder, 'backups')
  await vi.waitFor(
    () => expect(readdirSync(backups).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1),
    20_000,
  )
  await station.stop()
})

it('that is gone is not begun again as an empty one', async () => {
  const dataFolder = temporaryFolder()
  const { station } = await open(dataFolder)
  rmSync(join(dataFolder, 'outbox.sqlite'))
  await station.stop()
  await expect(openStation({ dataFolder, config: null, ports: stationPorts() })).rejects.toMatchObject({
    remedy: 'recover',
  })
})
