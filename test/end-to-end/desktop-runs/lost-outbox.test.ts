import { existsSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../station-process/start-station.ts'
import { describeDesktop } from '../fake-electron/start-desktop.ts'
import { becomes, messagesOf, setDesktop } from './desktop-fixture.ts'

const RECOVER = 0

/** Waits until one manifest holds all of these. */
async function inManifests(dataFolder: string, ...wanted: readonly string[]): Promise<void> {
  await until(`a manifest holds ${wanted.join(', ')}`, async () => {
    const texts = await manifestsIn(dataFolder)
    return texts.some((text) => wanted.every((part) => text.includes(part)))
  })
}

/** The texts of all manifests; one that is just replaced is not among them. */
async function manifestsIn(dataFolder: string): Promise<readonly string[]> {
  const folder = join(dataFolder, 'spool', 'manifests')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))
}

await describeDesktop('a lost outbox of the desktop app', (browser) => {
  it('is rebuilt only after a question: closing the question changes nothing', async () => {
    const fixture = await setDesktop(browser())
    const first = await fixture.run()
    await fixture.exportOne()
    await becomes(first, 'sent')
    const [sent] = (await first.value('submissions.list')).items
    await inManifests(fixture.dataFolder, 'H-00006', '"state":"sent"')
    await first.stop()
    const database = join(fixture.dataFolder, 'outbox.sqlite')
    rmSync(database)

    const refused = await fixture.run({ waitFor: 'nothing' })
    const { message, buttons, options } = await refused.waitFor('dialog')
    expect(message).toMatch(/is missing.*Nothing was sent/s)
    expect(buttons).toEqual(['Recover', 'Quit'])
    expect(options).toMatchObject({ defaultId: 1, cancelId: 1 })
    expect(await refused.exitCode).toBe(0)
    expect(existsSync(database)).toBe(false)

    const again = await fixture.run({ dialogAnswers: [RECOVER] })
    await until('the result is shown', () => messagesOf(again).length === 2)
    const { items } = await again.value('submissions.list')
    expect(items.map(({ id, state }) => [id, state])).toEqual([[sent?.id, 'sent']])
    expect(fixture.service.cases()).toHaveLength(1)
  })
})
