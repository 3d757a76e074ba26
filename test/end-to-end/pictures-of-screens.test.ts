/**
 * `npm run tour`: a picture of every screen in both languages, both themes and three sizes, into `test-results/tour`, and one
 * sheet a screen with all of them. Four go to `docs/screens`, for the README.
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { SETTINGS_SECTIONS } from '../../src-renderer/shell/navigation.tsx'
import { copyFixtureOutbox } from '../tools/fixture-outbox.ts'
import { untilStill } from './axe.ts'
import { openScreens, type Screens } from './screens/open-screens.ts'

const FOLDER = 'test-results/tour'
const LANGUAGES = ['English', 'Espa\u00f1ol'] as const
const THEMES = ['light', 'dark'] as const
const SIZES = [
  [1_024, 700],
  [1_280, 800],
  [1_920, 1_080],
] as const

/** For the README: the screen, and the name of its picture there. */
const OF_README: Readonly<Record<string, string>> = {
  queue: 'queue',
  'case to review': 'case',
  viewer: 'viewer',
  report: 'report',
}

type Stop = { readonly name: string; readonly hash: string; readonly act?: (page: Page) => Promise<void> }

async function stopsOf({ caseOf }: Screens): Promise<readonly Stop[]> {
  const caseHash = async (who: string): Promise<string> => `#/queue/${(await caseOf(who)).id}`
  const reviewed = await caseHash('H-00010')
  return [
    { name: 'queue', hash: '#/queue' },
    { name: 'keyboard', hash: '#/queue', act: (page) => page.keyboard.press('F1') },
    { name: 'case to review', hash: reviewed },
    { name: 'case that is sent', hash: await caseHash('H-00001') },
    {
      name: 'viewer',
      hash: reviewed,
      act: async (page) => {
        await page.locator('article button').first().click()
        await page.getByRole('dialog').waitFor()
        await page.keyboard.press('s')
      },
    },
    { name: 'reports', hash: '#/reports' },
    { name: 'report', hash: `#/reports/${(await caseOf('H-00001')).caseId}` },
    ...['cases', 'activity', 'help', 'setup'].map((name) => ({ name, hash: `#/${name}` })),
    ...SETTINGS_SECTIONS.map((name) => ({ name: `settings ${name}`, hash: `#/settings/${name}` })),
  ]
}

/** All pictures of a stop on one sheet: a row for each size. */
async function writeSheet(name: string, shots: readonly string[]): Promise<void> {
  const cells = await Promise.all(
    shots.map(async (shot, index) => ({
      input: await sharp(shot).resize({ width: 640, height: 440, fit: 'inside' }).toBuffer(),
      left: (index % 4) * 650,
      top: Math.floor(index / 4) * 450,
    })),
  )
  await sharp({ create: { width: 2_600, height: 1_350, channels: 3, background: '#808080' } })
    .composite(cells)
    .png()
    .toFile(join(FOLDER, `sheet ${name}.png`))
}

it(
  'every screen is pictured in both languages and themes and three sizes',
  { timeout: 1_800_000 },
  async (context) => {
    if (process.env['npm_lifecycle_event'] !== 'tour')
      return context.skip('`npm run tour` takes the pictures')
    const screens = await openScreens(context, { dataFolder: copyFixtureOutbox() })
    const { page, goTo, value } = screens
    await value('station.pause', { seconds: null })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await mkdir(FOLDER, { recursive: true })
    const stops = await stopsOf(screens)
    const shots = new Map<string, string[]>(stops.map(({ name }) => [name, []]))
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      for (const language of LANGUAGES) {
        await page.getByRole('button', { name: /^(Language|Idioma)/ }).click()
        await page.getByRole('menuitem', { name: language, exact: true }).click()
        for (const { name, hash, act } of stops) {
          await goTo(hash)
          await untilStill(page)
          await act?.(page)
          for (const colorScheme of THEMES) {
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
            await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
            await untilStill(page)
            const path = join(
              FOLDER,
              `${[name, language.slice(0, 2).toLowerCase(), colorScheme, width].join(' ')}.png`,
            )
            await page.screenshot({ path })
            shots.get(name)?.push(path)
          }
          if (act) await page.keyboard.press('Escape')
        }
      }
    }
    for (const [name, paths] of shots) {
      await writeSheet(name, paths)
      const readme = OF_README[name]
      // English, light, 1280 wide.
      if (readme !== undefined) await copyFile(paths[4] ?? '', join('docs/screens', `${readme}.png`))
    }
    expect([...shots.values()].flat()).toHaveLength(stops.length * 12)
  },
)
