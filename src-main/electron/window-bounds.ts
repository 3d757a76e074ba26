/** Where the window was, and where it may be now that the displays may have changed. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { errorCode } from '../station/lib/errors.ts'

const boundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
})
/** Device-independent pixels on the plane of all displays. */
export type Bounds = z.infer<typeof boundsSchema>

export const DEFAULT_SIZE = { width: 1_280, height: 860 }
export const MINIMUM_SIZE = { width: 800, height: 560 }

/** The remembered place, moved and shrunk until all of it lies on the display that shows most of it. */
export function fitToDisplays(remembered: Bounds | null, workAreas: readonly Bounds[]): Bounds | null {
  if (!remembered) return null
  const shown = workAreas
    .map((area) => ({ area, pixels: sharedPixels(remembered, area) }))
    .filter(({ pixels }) => pixels > 0)
    .toSorted((one, other) => other.pixels - one.pixels)
  const area = shown[0]?.area ?? workAreas[0]
  if (!area) return null
  const width = Math.min(remembered.width, area.width)
  const height = Math.min(remembered.height, area.height)
  return {
    x: clamp(remembered.x, area.x, area.x + area.width - width),
    y: clamp(remembered.y, area.y, area.y + area.height - height),
    width,
    height,
  }
}

function sharedPixels(one: Bounds, other: Bounds): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return Math.max(0, width) * Math.max(0, height)
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.max(lowest, Math.min(value, highest))
}

/** Null where nothing is remembered or it is unreadable: the window then has its usual size. */
export async function readBounds(path: string): Promise<Bounds | null> {
  try {
    return boundsSchema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return null
    throw error
  }
}

export async function rememberBounds(path: string, bounds: Bounds): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(bounds))
}
