/**
 * The lists by which stations find updates, `latest*.yml`, as electron-builder writes them (updateInfoBuilder.js): each build
 * writes its own anew, whatever lay there. Read, judged and merged; pure.
 */
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { PackagedSystem } from './package-plan.ts'

/** The one that electron-updater reads the lists with. */
const yaml: { readonly load: (text: string) => unknown; readonly dump: (value: object) => string } =
  createRequire(createRequire(import.meta.url).resolve('electron-updater'))('js-yaml')

const updateListSchema = z.looseObject({
  version: z.string(),
  files: z.array(z.looseObject({ url: z.string(), sha512: z.string() })).min(1),
  path: z.string(),
  sha512: z.string(),
  releaseDate: z.string(),
})

export type UpdateList = z.infer<typeof updateListSchema>

/** Throws where it is no such list. */
export function readUpdateList(text: string): UpdateList {
  return updateListSchema.parse(yaml.load(text))
}

export function writeUpdateList(list: UpdateList): string {
  return yaml.dump(list)
}

/** Where a station of this system looks for updates; null on Linux, where the system's packages bring them. */
export function updateListName(system: PackagedSystem): string | null {
  const names = { win: 'latest.yml', mac: 'latest-mac.yml', linux: null } as const
  return names[system]
}

/** What a station that is updated by it would miss, as a sentence; null where it finds what it can take. */
export function lackOf(name: string, list: UpdateList): string | null {
  const ending = name.startsWith('latest-mac') ? '.zip' : '.exe'
  return list.files.some(({ url }) => url.endsWith(ending))
    ? null
    : `${name} names no ${ending}, which is all that stations take: none of them would be updated by it.`
}

/**
 * One list of those that several computers wrote under one name. electron-updater takes from it what is for its processor,
 * by `arm64` in the name (MacUpdater.js). Throws where they are not of one release.
 */
export function mergeUpdateLists(name: string, lists: readonly UpdateList[]): UpdateList {
  const [first, ...others] = lists.toSorted((one, other) => Number(isArm(one)) - Number(isArm(other)))
  if (first === undefined) throw new Error(`There is no ${name} to merge.`)
  for (const other of others)
    if (JSON.stringify(unchanging(other)) !== JSON.stringify(unchanging(first)))
      throw new Error(`The lists of ${name} differ in more than their files: they are not of one release.`)
  const files = new Map<string, UpdateList['files'][number]>()
  for (const file of lists.flatMap((list) => list.files)) {
    const known = files.get(file.url)
    if (known !== undefined && known.sha512 !== file.sha512)
      throw new Error(`${name} names ${file.url} twice, with two contents.`)
    files.set(file.url, file)
  }
  const releaseDate =
    lists
      .map((list) => list.releaseDate)
      .toSorted()
      .at(-1) ?? first.releaseDate
  return { ...first, files: [...files.values()], releaseDate }
}

/** The single file for those that know no list of files is the one that runs on both processors. */
function isArm({ path }: UpdateList): boolean {
  return path.includes('arm64')
}

function unchanging({
  files: _files,
  path: _path,
  sha512: _sha512,
  releaseDate: _date,
  ...rest
}: UpdateList) {
  return rest
}
