/**
 * Takes pictures of every scene in both themes and both languages, to be looked at: `node
 * test/end-to-end/screens-on-a-stand-in/take-pictures.ts FOLDER [width height [which [language]]]`, where `which` is a
 * regular expression on names.
 */
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LANGUAGES } from '../../../src-shared/texts/texts.ts'
import { openTestBrowser } from '../browser.ts'
import { screensAsTheyAre } from './open-screens.ts'
import { SCENES } from './scenes.ts'
import { lightOrDark, openTheatre } from './show-scenes.ts'
import { drawFiles } from './stand-in-files.ts'

const [folder = 'pictures', width = '1280', height = '800', which = '', language = ''] = process.argv.slice(2)
const wanted = new RegExp(which)

const opened = await openTestBrowser()
if (opened.kind === 'absent') throw new Error(opened.why)
const screens = await screensAsTheyAre(await mkdtemp(join(tmpdir(), 'fundus-courier-screens-')))
await mkdir(folder, { recursive: true })
const files = await drawFiles(await mkdtemp(join(tmpdir(), 'fundus-courier-drawn-')))

function complain(name: string, text: string): void {
  process.stderr.write(`${name}: ${text}\n`)
  process.exitCode = 1
}

for (const spoken of LANGUAGES.filter((one) => language === '' || one === language)) {
  let name = ''
  const theatre = await openTheatre({
    browser: opened.browser,
    screensFolder: screens,
    files,
    language: spoken,
    viewport: { width: Number(width), height: Number(height) },
    isEachAlone: true,
    onPage: (page) => {
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complain(name, message.text())
      })
      page.on('pageerror', (error) => complain(name, error.message))
    },
  })
  for (const scene of SCENES.filter((one) => wanted.test(one.name))) {
    name = `${scene.name}-${spoken}`
    try {
      const page = await theatre.show(scene)
      for (const colorScheme of ['light', 'dark'] as const) {
        await lightOrDark(page, colorScheme)
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
      }
    } catch (error) {
      complain(name, error instanceof Error ? error.message : String(error))
    }
  }
  await theatre.close()
}
await opened.browser.close()
