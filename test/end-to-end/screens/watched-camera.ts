/** A watched folder of its own for each test on a shared station, with files as cameras write them. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Eye } from '../../../src-shared/measurement-ranges.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { dicomFile, type DicomFileOptions } from '../../camera/write-dicom.ts'
import { smallTargets } from '../accessible/page-checks.ts'
import { axeFindingsInBothThemes, untilStill } from '../axe.ts'
import { quickFolder } from '../station-fixture.ts'
import type { Screens } from './open-screens.ts'

const SIZE = { width: 120, height: 100 }
/** Days of the visit are compared with the day on which the files came. */
export const TODAY = new Date().toLocaleDateString('sv')

type KnownEye = Exclude<Eye, 'unknown'>

/** Each file has a picture of its own, because equal bytes are one image. */
let shots = 0

export function photograph(eye: KnownEye): Promise<Buffer> {
  shots += 1
  return drawFundus({ eye, seed: 400 + shots, ...SIZE })
}

export async function dicomOf(
  eye: KnownEye,
  patientId: string,
  patientName: string,
  more: DicomFileOptions = {},
): Promise<Buffer> {
  const image = { jpeg: await photograph(eye), ...SIZE }
  return dicomFile({
    patientId,
    patientName,
    laterality: eye === 'right' ? 'R' : 'L',
    studyDate: TODAY.replaceAll('-', ''),
    sopUid: `2.25.7000${shots}`,
    image,
    ...more,
  })
}

export type WatchedCamera = {
  /** The camera writes a file; `minutesAgo` is the time that the file bears. */
  readonly write: (name: string, bytes: Uint8Array | string, minutesAgo?: number) => void
  /** The cases that came since the folder is watched. */
  readonly cases: () => Promise<readonly Submission[]>
  /** The only one of them, once all these images are in it and nothing more is waited for. */
  readonly settledCase: (images: number) => Promise<Submission>
}

/** What other tests of the file left speaks neither about its files nor on the page. */
export async function watchCamera({ page, camera, value, goTo }: Screens): Promise<WatchedCamera> {
  shots += 1
  const folder = join(camera, String(shots))
  mkdirSync(folder)
  await value('settings.update', { folders: [quickFolder(folder, { sendWithoutReview: false })] })
  await goTo('#/queue')
  await page.reload()
  const list = async () => (await value('submissions.list', { limit: 50 })).items
  const before = new Set((await list()).map(({ id }) => id))
  const cases = async () => (await list()).filter(({ id }) => !before.has(id))
  return {
    write(name, bytes, minutesAgo = 0) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes)
      const at = new Date(Date.now() - minutesAgo * 60_000)
      utimesSync(path, at, at)
    },
    cases,
    async settledCase(images) {
      await expect
        .poll(async () => (await cases()).map((one) => `${one.images.length} ${one.state}`))
        .toEqual([expect.stringMatching(new RegExp(`^${images} (review|incomplete)$`))])
      const [only] = await cases()
      if (!only) throw new Error('There is no case')
      return only
    },
  }
}

export const known = (page: Page): Locator => page.getByRole('region', { name: 'Check', exact: true })

export async function openPage({ page, goTo }: Screens, { id }: Submission): Promise<void> {
  await goTo(`#/queue/${id}`)
  await known(page).waitFor()
}

export async function expectNoFindings(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await untilStill(page)
  expect([...(await axeFindingsInBothThemes(page)), ...(await smallTargets(page, 28))]).toEqual([])
}
