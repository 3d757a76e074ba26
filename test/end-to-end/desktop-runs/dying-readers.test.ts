/** The processes of the desktop app that open foreign files hang and crash, and the app goes on. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawing } from '../../src-main/reader/draw-images.ts'
import { until } from '../../station-process/start-station.ts'
import { HANGS, hookOf } from '../../tools/hanging-calls.ts'
import { describeDesktop } from '../fake-electron/start-desktop.ts'
import { exportSmallVisit, quickFolder } from '../station-fixture.ts'
import { setDesktop } from './desktop-fixture.ts'

await describeDesktop('processes that open foreign files', (browser) => {
  it.each(['every call', 'the process itself'])(
    'hang in one folder (%s) and crash over an image in another: that is all',
    async (what) => {
      const fixture = await setDesktop(browser())
      const root = join(fixture.camera, '..')
      const [hanging, hook, mark] = ['hangs-1', 'hook.mjs', 'back'].map((name) => join(root, name)) as [
        string,
        string,
        string,
      ]
      mkdirSync(hanging)
      writeFileSync(hook, hookOf(HANGS[what] ?? '', mark))
      writeFileSync(join(fixture.camera, 'deadly.jpg'), await drawing().jpeg().toBuffer())
      await exportSmallVisit(hanging, 31)
      await fixture.exportOne(6)
      const desktop = await fixture.run({
        environment: { NODE_OPTIONS: `--import ${hook}` },
        changes: { folders: [quickFolder(fixture.camera), quickFolder(hanging)] },
      })
      await expect.poll(() => fixture.service.cases().length, { timeout: 30_000 }).toBe(1)
      await until(
        'the folder is out of reach',
        async () => (await desktop.value('station.status')).folders[1]?.health === 'unreachable',
        75_000,
      )
      await fixture.exportOne(7)
      await expect.poll(() => fixture.service.cases().length, { timeout: 30_000 }).toBe(2)
      // Read alone after a minute, it ended its process once more.
      await until(
        'the image is set aside',
        async () => {
          const { items } = await desktop.value('folders.leftAside', { limit: 100 })
          return items.some(({ kind, fileName }) => kind === 'setAside' && fileName === 'deadly.jpg')
        },
        120_000,
      )
      const stoppedMs = performance.now()
      await desktop.stop()
      expect(performance.now() - stoppedMs).toBeLessThan(10_000)
    },
    300_000,
  )
})
