/**
 * The lists by which stations find updates, `latest*.yml`, as electron-builder writes them (updateInfoBuilder.js). Each build
 * replaces its own. Pure.
 */
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { PackagedSystem } from './package-plan.ts'

/** The one that electron-updater reads the lists with. */
const yaml: { readonly load: (text: string) => unknown } = createRequire(
  createRequire(import.meta.url).resolve('electron-updater'),
)('js-yaml')

const updateListSchema = z.looseObject({
  version: z.string(),
  files: z.array(z.looseObject({ url: z.string(), sha512: z.string() })).min(1),
  path: z.string(),
  sha512: z.string(),
  releaseDate: z.string(),
})

export type UpdateList = z.infer<typeof updateListSchema>

/** Throws if it is no such list. */
export function readUpdateList(text: string): UpdateList {
  return updateListSchema.parse(yaml.load(text))
}

/** The list that a station of this system reads; null on Linux, which is updated by its packages. */
export function updateListName(system: PackagedSystem): string | null {
  const names = { win: 'latest.yml', mac: 'latest-mac.yml', linux: null } as const
  return names[system]
}

/** What a station would miss in the list, as a sentence; null if it can be updated by it. */
export function lackOf(name: string, list: UpdateList): string | null {
  const ending = name.startsWith('latest-mac') ? '.zip' : '.exe'
  return list.files.some(({ url }) => url.endsWith(ending))
    ? null
    : `${name} names no ${ending}, which is all that stations take: none of them would be updated by it.`
}
