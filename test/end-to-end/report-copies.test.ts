import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../station-process/start-station.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { exportSmallVisit, setFixtureFor, type StationFixture } from './station-fixture.ts'

await describeHosts('reports for the record system', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  let station: HostedStation
  let copies: string

  beforeAll(async () => {
    fixture = await setFixtureFor((options) => host.start(options, browser))
    copies = join(fixture.dataFolder, '..', 'copies')
    mkdirSync(copies)
    station = await fixture.start()
  })

  afterAll(async () => {
    await fixture.close()
  })

  /** One visit on the camera, through to its report; answers with what the station holds of it. */
  async function reported(seed: number): Promise<{ reference: string; sha256: string }> {
    const before = new Set((await station.value('reports.list')).items.map(({ caseId }) => caseId))
    await exportSmallVisit(fixture.camera, seed, { layout: 'nested', names: 'eye' })
    const { caseId, reference } = await until('the report has come', async () =>
      (await station.value('reports.list')).items.find((item) => !before.has(item.caseId)),
    )
    const { versions } = await station.value('reports.get', { caseId })
    return { reference, sha256: versions.at(-1)?.sha256 ?? '' }
  }

  const copyOf = (reference: string): string | undefined =>
    readdirSync(copies).find((name) => name.startsWith(`${reference}_1.`))

  const hashOf = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(copies, name)))
      .digest('hex')

  it('copies reports into the folder that is set, tells where it is gone, and copies what came meanwhile', async () => {
    const { reports } = await station.value('settings.get')
    await station.value('settings.update', { reports: { ...reports, saveTo: copies } })
    const first = await reported(1)
    const name = await until('the copy is there', () => copyOf(first.reference))
    expect(hashOf(name)).toBe(first.sha256)

    renameSync(copies, `${copies}-away`)
    const second = await reported(2)
    await until('it is told in the log', () => station.log().includes('reports could not be copied'))
    expect(station.log()).toContain('ENOENT')
    expect(station.log()).not.toContain(copies)

    renameSync(`${copies}-away`, copies)
    // The pause after the first failure is half a minute.
    const late = await until('the copy was made later', () => copyOf(second.reference), 90_000)
    expect(hashOf(late)).toBe(second.sha256)
    expect(readdirSync(copies)).toHaveLength(2)
  }, 240_000)
})
