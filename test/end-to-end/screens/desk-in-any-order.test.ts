/**
 * The review desk in a browser, under whatever comes in whatever order: keys that repeat or bounce, clicks, another
 * person's changes, arrivals, slow calls. A recorder in the page writes down what was on the screen, without the desk.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { CallHandlers } from '../../../src-main/station/api.ts'
import { pick, type Random, randomFrom } from '../../camera/random.ts'
import { openScreens, type Screens } from './open-screens.ts'
import type { SeededCase } from './seed-cases.ts'

/** So many in the long run; a thousand take an hour. */
const SEQUENCES = Number(process.env['FUNDUS_COURIER_SEQUENCES'] ?? 30)
const ACTS = 8
/** The list shows them all. */
const CASES_A_TURN = 40
const SEQUENCES_A_TURN = 50

/** What was on the screen, from when to when, in the time of the page's events. */
type Frame = { readonly from: number; until: number; readonly text: string }

/** A key that went down or a click, by a person. */
type Press = { readonly at: number; readonly key: string }

type Called = { readonly at: number; readonly name: string; readonly input: unknown }

/** What a frame's text holds. */
type Shown = {
  readonly number: string | null
  /** The id, the eye, and whether it is decoded, of each large picture. */
  readonly pictures: readonly (readonly [id: string, eye: string, isDecoded: boolean])[]
  /** The eye, and whether it is decoded, of each small picture: all of an eye that has several. */
  readonly small: readonly (readonly [eye: string, isDecoded: boolean])[]
  readonly isCovered: boolean
}

type Record = { readonly frames: Frame[]; readonly presses: Press[]; readonly called: Called[] }

declare global {
  // oxlint-disable-next-line no-var -- a global of the page
  var deskRecord: Record
}

/** Begins to record in the page, frame by frame. */
function record(): void {
  const frames: Frame[] = []
  globalThis.deskRecord = { frames, presses: [], called: [] }
  const note = (): void => {
    const shown = {
      number: document.querySelector('[data-shown] h2 bdi')?.textContent ?? null,
      pictures: [
        ...document.querySelectorAll<HTMLElement>('[data-shown] figure[data-image]:not([hidden])'),
      ].map((figure) => {
        const images = [...figure.querySelectorAll('img')]
        const isDecoded = images.some(({ complete, naturalWidth }) => complete && naturalWidth > 0)
        return [figure.dataset['image'], figure.dataset['area'], isDecoded]
      }),
      small: [...document.querySelectorAll<HTMLElement>('[data-shown] [data-area][role="group"] img')].map(
        (image) => [
          image.closest<HTMLElement>('[data-area]')?.dataset['area'],
          image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0,
        ],
      ),
      isCovered: document.querySelector('[role="dialog"]') !== null || document.hidden,
    }
    const text = JSON.stringify(shown)
    const last = frames.at(-1)
    const at = performance.now()
    if (last !== undefined) last.until = at
    if (last?.text !== text) frames.push({ from: at, until: at, text })
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
  const { presses, called } = globalThis.deskRecord
  addEventListener(
    'keydown',
    ({ key, timeStamp: at, repeat }) => void (repeat || presses.push({ at, key })),
    true,
  )
  addEventListener('click', ({ timeStamp: at }) => void presses.push({ at, key: 'click' }), true)
  const { fetch } = globalThis
  globalThis.fetch = (...request) => {
    const [address, options] = request
    const name = /\/call\/(.+)$/.exec(typeof address === 'string' ? address : '')?.[1]
    if (name !== undefined && typeof options?.body === 'string')
      called.push({ at: performance.now(), name, input: JSON.parse(options.body) })
    return fetch(...request)
  }
}

/** The least time in view, less two frames: the recorder may see a case later than it was painted. */
const LEAST_MS = 700 - 40

/** What was on the screen without a change for the least time until this press; null if nothing was. */
function shownBefore({ frames }: Record, { at }: Press): Shown | null {
  const frame = frames.findLast(({ from }) => from <= at)
  return frame === undefined || at - frame.from < LEAST_MS ? null : (JSON.parse(frame.text) as Shown)
}

/** The presses of these keys before a call, the last one first. */
function pressesBefore({ presses }: Record, { at }: Called, keys: readonly string[]): readonly Press[] {
  return presses.filter((press) => press.at <= at && keys.includes(press.key)).toReversed()
}

const isDecoded = ([, , decoded]: Shown['pictures'][number]): boolean => decoded

/** The eyes of all images that were shown, in order. */
function eyesOf({ pictures, small }: Shown): readonly string[] {
  const inStrips = small.map(([eye]) => eye)
  const alone = pictures.map(([, eye]) => eye).filter((eye) => !inStrips.includes(eye))
  return [...inStrips, ...alone].toSorted()
}

type Found = { approvals: number; eyes: number }

/** Checks what the page called for against what it had shown. */
async function check(of: Record, { value }: Screens, found: Found): Promise<void> {
  for (const one of of.called) {
    if (one.name === 'submissions.approve') {
      const { ids } = one.input as { readonly ids: readonly string[] }
      expect(ids).toHaveLength(1)
      const details = await value('submissions.get', { id: ids[0]! })
      const shown =
        pressesBefore(of, one, ['Enter', 'click'])
          .map((press) => shownBefore(of, press))
          .find((before) => before?.number === details.fields.history_number) ?? null
      expect(shown, `approval of ${details.fields.history_number}`).not.toBeNull()
      expect(shown?.isCovered).toBe(false)
      expect(shown?.pictures.every(isDecoded)).toBe(true)
      expect(shown?.small.every(([, decoded]) => decoded)).toBe(true)
      if (details.state === 'waiting') {
        found.approvals += 1
        expect(shown && eyesOf(shown)).toEqual(details.images.map(({ eye }) => eye).toSorted())
        for (const [id, eye] of shown?.pictures ?? [])
          expect(details.images.find((image) => image.id === id)?.eye).toBe(eye)
      }
    } else if (one.name === 'submissions.update') {
      const { id, images = [] } = one.input as {
        readonly id: string
        readonly images?: readonly { readonly id: string; readonly eye?: string }[]
      }
      const [image] = images
      if (image === undefined || (image.eye !== 'right' && image.eye !== 'left')) continue
      found.eyes += 1
      const details = await value('submissions.get', { id })
      const shown = pressesBefore(of, one, image.eye === 'right' ? ['1', 'click'] : ['2', 'click'])
        .map((press) => shownBefore(of, press))
        .find((before) => before?.number === details.fields.history_number)
      expect(shown?.pictures, `an eye of ${details.fields.history_number}`).toEqual([
        [image.id, 'unknown', true],
      ])
    }
  }
}

type Act = (screens: Screens, random: Random) => Promise<unknown>

const idsOf = (page: Page, rows: string): Promise<readonly string[]> =>
  page.locator(rows).evaluateAll((found) => found.map((row) => row.getAttribute('data-id') ?? ''))

/** Another person's change to the case that is shown, or to any. */
async function changeElsewhere({ page, value }: Screens, random: Random): Promise<void> {
  const ids = await idsOf(page, random() < 0.6 ? 'tr[aria-current="true"]' : 'tr[data-id]')
  const id = ids[Math.floor(random() * ids.length)]
  if (id === undefined) return
  const details = await value('submissions.get', { id })
  if (details.state !== 'review' && details.state !== 'incomplete') return
  await value('submissions.update', {
    id,
    by: 'ZZ',
    ...(random() < 0.5
      ? { fields: { last_name: `Sampleton${Math.floor(random() * 1e6)}` } }
      : {
          images: details.images.map((image) => ({
            id: image.id,
            eye: image.eye === 'left' ? 'right' : 'left',
          })),
        }),
  })
}

const press =
  (key: string): Act =>
  ({ page }) =>
    page.keyboard.press(key)

const ACTS_OF_A_DAY: readonly [Act, ...Act[]] = [
  press('Enter'),
  ...[1, 2, 3, 4].map(() => press('Enter')),
  // A key that bounces.
  async ({ page }) => {
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
  },
  // A key that is held.
  async ({ page }) => {
    for (let time = 0; time < 4; time += 1) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
  },
  // A barcode scanner.
  async ({ page }) => {
    await page.keyboard.type('C-1')
    await page.keyboard.press('Enter')
  },
  press('1'),
  press('2'),
  press('2'),
  press('Backspace'),
  press('ArrowDown'),
  press('ArrowUp'),
  async ({ page }, random) => {
    const rows = page.locator('tr[data-id]')
    const count = Math.min(8, await rows.count())
    if (count > 0) await rows.nth(Math.floor(random() * count)).click()
  },
  async ({ page }, random) => {
    const button = page.locator('[data-shown] button', {
      hasText: pick(random, [/^Approve/, /^Skip/, /^Right/]),
    })
    // A person clicks also on what does not answer yet.
    if ((await button.count()) > 0) await button.first().click({ force: true })
  },
  changeElsewhere,
  changeElsewhere,
  async ({ value, page }) => {
    const [id] = await idsOf(page, 'tr[aria-current="true"]')
    if (id === undefined) return
    const { state } = await value('submissions.get', { id })
    await value(state === 'held' ? 'submissions.release' : 'submissions.hold', { ids: [id], by: 'ZZ' })
  },
]

/** Around the least times in view: that of what is certain, and that of a proposal. */
const PAUSES_MS = [0, 20, 40, 150, 720, 900, 1_480, 1_600] as const

/** A mix of cases: known eyes, one unknown, two. */
const cases = (): readonly SeededCase[] =>
  Array.from({ length: CASES_A_TURN }, (_nothing, index) => ({
    // Any two differ by three digits or more: of near numbers the desk asks, once another person changes a name.
    who: `C-1${String(index).padStart(2, '0').repeat(3)}`,
    name: 'Sampleton, Testina',
    state: 'review' as const,
    eyes: ['rl', 'rl', '??', 'r?'][index % 4] ?? 'rl',
  }))

/** Runs the sequences of these numbers, from the first to before the end, on one station. */
async function oneTurn(screens: Screens, first: number, end: number, found: Found): Promise<void> {
  const { page, value, station, answerWith } = screens
  await value('station.pause', { seconds: null })
  const lag: CallHandlers['submissions.approve'] = async ({ undoSeconds: _final, ...input }) => {
    if (input.ids[0]?.endsWith('0') === true) await wait(500)
    return station.handlers['submissions.approve'](input)
  }
  answerWith('submissions.approve', lag)
  for (let number = first; number < end; number += 1) {
    const random = randomFrom(number)
    await begin(screens)
    for (let act = 0; act < ACTS; act += 1) {
      await pick(random, ACTS_OF_A_DAY)(screens, random)
      await wait(PAUSES_MS[Math.floor(random() * PAUSES_MS.length)])
    }
    // What was pressed last is called by now.
    await wait(60)
    await check(await page.evaluate(() => globalThis.deskRecord), screens, found)
  }
}

/** Each sequence begins with the whole list and nothing pressed. */
async function begin({ page, goTo }: Screens): Promise<void> {
  await page.keyboard.press('Escape')
  // Enter on a link of the desk opens another screen.
  await goTo('#/queue')
  const search = page.getByRole('searchbox')
  // Digits that follow one another at once come from a scanner, and search.
  if ((await search.inputValue()) !== '') await search.fill('')
  await page.locator('tr[data-id]').first().waitFor()
  await page.locator('a[data-row-link]').first().focus()
  await page.evaluate(() => {
    const { frames, presses, called } = globalThis.deskRecord
    frames.splice(0, frames.length - 1)
    presses.length = 0
    called.length = 0
  })
}

it(
  `approves nothing that was not shown whole and long enough, in ${SEQUENCES} random sequences`,
  { timeout: 3_600_000 },
  async (context) => {
    const found = { approvals: 0, eyes: 0 }
    for (let first = 0; first < SEQUENCES; first += SEQUENCES_A_TURN) {
      const screens = await openScreens(context, { cases: cases() })
      await screens.page.evaluate(record)
      await oneTurn(screens, first, Math.min(first + SEQUENCES_A_TURN, SEQUENCES), found)
    }
    expect(found.approvals).toBeGreaterThan(SEQUENCES / 10)
    expect(found.eyes).toBeGreaterThan(SEQUENCES / 10)
    process.stdout.write(`${found.approvals} approvals, ${found.eyes} eyes in ${SEQUENCES} sequences\n`)
  },
)
