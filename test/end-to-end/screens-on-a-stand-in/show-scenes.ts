/** Shows scenes one after another, on as few pages and stations as they allow. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page, Request } from 'playwright-core'
import type { Language } from '../../../src-shared/texts/texts.ts'
import { HALF_WAY } from './half-way.ts'
import { openScreens } from './open-screens.ts'
import type { Scene } from './scene.ts'
import type { StandInFiles } from './stand-in-files.ts'
import { wordsOf } from './words-of.ts'

export type Theatre = {
  /** Brings a scene before the eyes and waits until it stands still. */
  show(scene: Scene): Promise<Page>
  close(): Promise<void>
}

export type TheatreOptions = {
  readonly browser: Browser
  readonly screensFolder: string
  readonly files: StandInFiles
  readonly language: Language
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Every scene on a page of its own, so that no passing notice of the one before is in the picture. */
  readonly isEachAlone?: boolean
  /** Told each page before it is used. */
  readonly onPage?: (page: Page) => void
}

const LOCALES = { en: 'en-GB', es: 'es-ES' } as const

type Open = {
  readonly page: Page
  readonly code: CodeOnItsWay
  readonly standIn: Standing['standIn']
  readonly close: () => Promise<void>
}
type Standing = Awaited<ReturnType<typeof openScreens>>

export async function openTheatre(options: TheatreOptions): Promise<Theatre> {
  const { browser, screensFolder, files, language, viewport = { width: 1_280, height: 800 } } = options
  const say = await wordsOf(language)
  let open: Open | null = null
  let isUsedUp = false

  const openOne = async (): Promise<Open> => {
    const screens = await openScreens(screensFolder, { files })
    // Colours are judged when they stand still: what fades in on a busy machine is pale for long.
    const context = await browser.newContext({
      locale: LOCALES[language],
      viewport,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    options.onPage?.(page)
    const code = watchCode(page)
    await page.goto(screens.address)
    await page.getByRole('table', { name: say('queue:table') }).waitFor()
    await page.locator('[data-testid="banner"][data-kind="needYou"]').waitFor()
    screens.standIn.tell('deliveryProgressed', HALF_WAY)
    return {
      page,
      code,
      standIn: screens.standIn,
      close: async () => {
        await context.close()
        await screens.close()
      },
    }
  }
  const close = async (): Promise<void> => {
    await open?.close()
    open = null
  }

  return {
    close,
    async show(scene) {
      const isAlone = scene.isAlone === true || options.isEachAlone === true
      if (isUsedUp || isAlone || (open !== null && !(await leave(open.page)))) await close()
      open ??= await openOne()
      isUsedUp = isAlone
      // The same address again would leave the screen as it is.
      if (isAt(open.page, scene.hash)) await goTo(open.page, '#/help')
      await goTo(open.page, scene.hash)
      await scene.prepare?.(open.page, open.standIn, say)
      // What only the pointer shows is not what was opened.
      await open.page.mouse.move(1, 1)
      await standStillWithCode(open)
      return open.page
    },
  }
}

function isAt(page: Page, hash: string): boolean {
  return new URL(page.url()).hash === hash
}

/** Closes what is open over the screen; false where something stays open. */
async function leave(page: Page): Promise<boolean> {
  const opened = page.locator('[role="dialog"]:visible, [role="menu"]:visible')
  for (let tries = 0; tries < 3 && (await opened.count()) > 0; tries += 1) await page.keyboard.press('Escape')
  if ((await opened.count()) > 0) return false
  return true
}

/** Shows what is there in another theme; a scene is left in the light one. */
export async function lightOrDark(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  await standStill(page)
}

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(async (to) => {
    if (window.location.hash === to) return
    await new Promise((resolve) => {
      window.addEventListener('hashchange', resolve, { once: true })
      window.location.hash = to
    })
  }, hash)
  await standStill(page)
}

type CodeOnItsWay = { readonly underWay: ReadonlySet<Request>; asked(): number }

/** What is opened for the first time fetches its code and pictures; on a busy machine the screen stands still without them. */
function watchCode(page: Page): CodeOnItsWay {
  const underWay = new Set<Request>()
  let asked = 0
  page.on('request', (request) => {
    if (!['script', 'image'].includes(request.resourceType())) return
    underWay.add(request)
    asked += 1
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return { underWay, asked: () => asked }
}

async function standStillWithCode({ page, code }: Open): Promise<void> {
  let before: number
  do {
    before = code.asked()
    await standStill(page)
    for (let waits = 0; code.underWay.size > 0 && waits < 400; waits += 1) await sleep(25)
  } while (code.asked() > before)
}

/**
 * Nothing is being read, drawn or moved any more, for several pictures in a row; or what is under way goes on without an
 * end, as while a question waits for its answer.
 */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const isStill = (): boolean =>
      document.querySelector('.mantine-Loader-root, [aria-busy="true"]') === null &&
      document.getAnimations().length === 0 &&
      [...document.images].every((image) => image.complete || image.loading === 'lazy')
    // Times that are counted down do not count.
    const stand = (): string => `${document.body.innerText.replaceAll(/\d+/g, '')} ${document.images.length}`
    const startedAt = performance.now()
    let still = 0
    let before = stand()
    let sameSince = startedAt
    while (still < 4 && performance.now() < Math.min(sameSince + 2_000, startedAt + 10_000)) {
      await new Promise((resolve) => {
        setTimeout(resolve, 25)
      })
      still = isStill() ? still + 1 : 0
      const now = stand()
      if (now !== before) sameSince = performance.now()
      before = now
    }
  })
}
