/** A picture whose every pixel says where it is, so that a screenshot tells what lies under a place of the screen. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll } from 'vitest'
import type { ServedBytes, Station } from '../../../src-main/station/api.ts'

export const CHART = { width: 1_600, height: 1_200 } as const

/** The low bits of x and y are red and green, the high ones of both are blue. */
async function drawChart(folder: string): Promise<ServedBytes> {
  const { width, height } = CHART
  const raw = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      raw.set([x & 255, y & 255, (x >> 8) | ((y >> 8) << 4)], (y * width + x) * 3)
  const bytes = await sharp(raw, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const path = join(folder, 'chart.png')
  await writeFile(path, bytes)
  return { path, contentType: 'image/png', sizeBytes: bytes.length }
}

/** Draws the chart once for the tests of a file. */
export function setChart(): { readonly served: () => ServedBytes; readonly folder: () => string } {
  let folder = ''
  let chart: ServedBytes | null = null
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fundus-courier-chart-'))
    chart = await drawChart(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return {
    served() {
      if (!chart) throw new Error('The chart is not drawn yet')
      return chart
    },
    folder: () => folder,
  }
}

/** Lets the station serve this in place of the whole images that are named, or of all; null is one that is gone. */
export function serveInstead(
  station: Station,
  served: ServedBytes | null,
  isMeant: (id: string) => boolean = () => true,
): { readonly asked: string[] } {
  const asked: string[] = []
  const before = station.bytes.bind(station)
  Object.assign(station, {
    bytes: async (...[kind, id]: Parameters<Station['bytes']>) => {
      if (kind !== 'image') return before(kind, id)
      asked.push(id)
      return isMeant(id) ? served : before(kind, id)
    },
  })
  return { asked }
}

export type Colour = readonly [red: number, green: number, blue: number]

/** The colours on the screen of a row of places, as a person sees them. */
export async function rowOfColours(page: Page, x: number, y: number, width: number): Promise<Colour[]> {
  const shot = await page.screenshot({ clip: { x, y, width, height: 1 } })
  const { data, info } = await sharp(shot).raw().toBuffer({ resolveWithObject: true })
  return Array.from({ length: width }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = data.subarray(index * info.channels)
    return [red, green, blue]
  })
}

export async function colourAt(page: Page, x: number, y: number): Promise<Colour> {
  const [colour] = await rowOfColours(page, x, y, 1)
  if (!colour) throw new Error('There is nothing at this place of the screen')
  return colour
}

export type Place = { readonly x: number; readonly y: number }

export function placeOf([red, green, blue]: Colour): Place {
  return { x: red | ((blue & 15) << 8), y: green | ((blue >> 4) << 8) }
}

/** Which pixel of the chart lies there; only where nothing is smoothed, so at 1:1 and above. */
export async function placeAt(page: Page, x: number, y: number): Promise<Place> {
  return placeOf(await colourAt(page, x, y))
}
