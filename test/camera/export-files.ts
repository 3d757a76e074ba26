/** Writes the files of a layout into a folder, in an order and in ways that a seed decides. */
import { join } from 'node:path'
import type { ExportedFile } from './layouts/layout.ts'
import { randomFrom } from './random.ts'
import { writeAsCamera, type Way } from './write-as-camera.ts'

export type ExportOptions = {
  /** `as taken`, or any order; the same seed is the same order. */
  readonly order?: 'as taken' | { readonly seed: number }
  /** Used in turn, one file after the other. */
  readonly ways?: readonly [Way, ...Way[]]
  /** How many files the camera writes at the same time. */
  readonly atOnce?: number
}

/** Answers when all files are written. */
export async function exportFiles(
  folder: string,
  files: readonly ExportedFile[],
  options: ExportOptions = {},
): Promise<void> {
  const { order = 'as taken', ways = ['at once'], atOnce = 1 } = options
  const waiting = (order === 'as taken' ? files : shuffled(files, order.seed)).entries()
  const writeInTurn = async (): Promise<void> => {
    for (const [index, file] of waiting) {
      const way = ways[index % ways.length] ?? ways[0]
      await writeAsCamera(join(folder, file.relativePath), await file.bytes(), way, file.modifiedAt)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, writeInTurn))
}

/** In an order that the seed decides: Fisher and Yates. */
export function shuffled<Value>(values: readonly Value[], seed: number): readonly Value[] {
  const random = randomFrom(seed)
  const mixed = [...values]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const kept = mixed[last] as Value
    mixed[last] = mixed[other] as Value
    mixed[other] = kept
  }
  return mixed
}
