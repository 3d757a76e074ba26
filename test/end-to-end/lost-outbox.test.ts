import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ExportedVisit } from '../camera/export-visit.ts'
import { until } from '../station-process/start-station.ts'
import { inManifests } from './manifests.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { exportSmallVisit, setFixtureFor, type StationFixture } from './station-fixture.ts'

const exported = ({ camera }: Pick<StationFixture, 'camera'>, seed: number): Promise<ExportedVisit> =>
  exportSmallVisit(camera, seed)

async function stateOf(station: HostedStation, historyNumber: string): Promise<string | null> {
  const { items } = await station.value('submissions.list')
  return items.find((item) => item.fields.history_number === historyNumber)?.state ?? null
}

const isSent = (station: HostedStation, historyNumber: string): Promise<boolean> =>
  until(`${historyNumber} is sent`, async () => (await stateOf(station, historyNumber)) === 'sent')

/** Long enough for several sweeps: what lies in the folder of the camera was looked at. */
async function swept(station: HostedStation): Promise<void> {
  const since = Date.now()
  await until('the folder was swept', async () => {
    const { folders } = await station.value('station.status')
    return (folders[0]?.lastSweepAt ?? 0) > since
  })
  await sleep(1_500)
}

await describeHosts('a station that lost its outbox', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  beforeEach(async () => {
    fixture = await setFixtureFor((options) => host.start(options, browser))
  })
  afterEach(() => fixture.close())

  it('says how it is recovered, and then sends nothing again but what a person says', async () => {
    const first = await fixture.start()
    await exported(fixture, 1)
    await isSent(first, 'H-00001')
    await first.value('station.pause', { seconds: null })
    const visit = await exported(fixture, 2)
    const whole = ['\\"first_name\\":\\"sidecar\\"', ...visit.images.map(({ path }) => path)]
    await inManifests(fixture.dataFolder, 'H-00001', '"state":"sent"')
    // On a busy machine an image or the data may come when it waits already, and it is collected once more.
    await inManifests(fixture.dataFolder, 'H-00002', ...whole)
    await swept(first)
    await inManifests(fixture.dataFolder, 'H-00002', '"state":"waiting"', ...whole)
    await first.kill()
    await rm(join(fixture.dataFolder, 'outbox.sqlite'))
    await rm(join(fixture.dataFolder, 'outbox.sqlite-wal'), { force: true })

    // The desktop app asks a person: `desktop-runs/lost-outbox.test.ts`.
    if (host.kind === 'headless')
      await expect(fixture.start()).rejects.toThrow(
        /is missing.*Nothing was sent.*start once with --recover/s,
      )
    const second = await fixture.start({}, ['--recover'])
    if (host.kind === 'headless') expect(second.log()).toContain('2 cases were added')
    await swept(second)
    const { items } = await second.value('submissions.list')
    expect(items.map((item) => `${item.fields.history_number} ${item.state}`).toSorted()).toEqual([
      'H-00001 sent',
      'H-00002 unconfirmed',
    ])
    expect(fixture.service.cases()).toHaveLength(1)
    expect((await second.value('station.status')).alarms).toMatchObject([{ kind: 'outboxRestored' }])
    const sent = items.find((item) => item.state === 'sent')
    await until('the report is there', async () => {
      const { items: now } = await second.value('submissions.list')
      return now.find((item) => item.id === sent?.id)?.hasReport
    })

    const doubtful = items.find((item) => item.state === 'unconfirmed')
    await second.value('submissions.resolve', { id: doubtful?.id ?? '', delivered: false, by: 'AB' })
    await isSent(second, 'H-00002')
    expect(fixture.service.cases()).toHaveLength(2)
  })
})
