import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { mountedFolder, whyNoMounts } from '../src-main/station/watch/mounted-folder.ts'
import { until } from '../station-process/start-station.ts'
import { describeHosts, type HostedStation } from './station-hosts.ts'
import { exportSmallVisit, quickFolder, setFixtureFor, type StationFixture } from './station-fixture.ts'

const MEBIBYTE = 1_024 * 1_024
const noMounts = whyNoMounts()
const where = noMounts === null ? '' : ` (not tried: ${noMounts})`

const storageOf = async (station: HostedStation) => (await station.value('station.status')).storage

function fill(folder: string): void {
  for (const [index, size] of [MEBIBYTE, 65_536, 4_096, 512].entries())
    for (let count = 0; ; count += 1)
      try {
        writeFileSync(join(folder, `filler-${index}-${count}`), Buffer.alloc(size, 1))
      } catch {
        break
      }
}

await describeHosts('the disk of a station', (host, browser) => {
  let fixture: StationFixture<HostedStation>
  beforeEach(async () => {
    fixture = await setFixtureFor((options) => host.start(options, browser))
  })
  afterEach(() => fixture.close())

  describe.skipIf(noMounts !== null)(`full to its last byte${where}`, () => {
    it('is told with what to do, and the station goes on by itself when there is space', async () => {
      const mounted = mountedFolder()
      onTestFinished(() => mounted.end())
      mounted.appear()
      const { baseUrl, clientId, clientSecret } = fixture.service
      const station = await host.start(
        {
          dataFolder: join(mounted.path, 'station'),
          parameters: [],
          config: {
            service: { baseUrl, clientId, clientSecret },
            centerId: '101',
            folders: [quickFolder(fixture.camera)],
            storage: { keepImagesDays: null, lowWaterBytes: 4 * MEBIBYTE, ballastBytes: 2 * MEBIBYTE },
          },
        },
        browser,
      )
      onTestFinished(async () => void (await station.stop()))
      const ballast = join(mounted.path, 'station', 'ballast')
      await until('the ballast is made', () => readdirSync(join(ballast, '..')).includes('ballast'))
      fill(mounted.path)
      // Looked for every half minute, or as soon as a write finds no space.
      const trouble = await until('the trouble is told', () => storageOf(station), 90_000)
      expect(trouble.kind).toBe('diskLow')
      expect(trouble.message).toMatch(
        /^Only [\d.]+ (bytes|KB|MB) are free .* Free some space on this computer\.$/,
      )
      await exportSmallVisit(fixture.camera, 3)
      // What is queued can be worked with: pausing is kept.
      expect(await station.ask('station.pause', {})).toMatchObject({ ok: true })
      expect(await station.ask('station.resume', {})).toMatchObject({ ok: true })
      expect((await station.value('submissions.list', {})).total).toBe(0)
      for (const name of readdirSync(mounted.path).filter((one) => one.startsWith('filler')))
        rmSync(join(mounted.path, name))
      await until(
        'the case is sent',
        async () => (await station.value('submissions.list', { state: ['sent'] })).total === 1,
        90_000,
      )
      expect(await storageOf(station)).toBeNull()
      expect(fixture.service.cases()).toHaveLength(1)
    }, 240_000)
  })
})
