/**
 * The rooms of the test house, each with its folders in `test/`. A test file belongs to exactly one, so that none is run
 * twice or never; `vitest run --project NAME` runs one room.
 */
export const quickRooms = {
  shared: ['src-shared'],
  station: ['src-main/station'],
  hosts: ['src-main/headless', 'src-main/electron'],
  renderer: ['src-renderer'],
  practice: ['practice-service', 'by-the-book-service', 'camera', 'demo'],
  architecture: ['architecture', 'tools'],
} as const

/** Each test in them starts a station, most a browser, or packs the app: after all others, one room at a time. */
export const slowRooms = {
  'end-to-end': ['end-to-end'],
  packaging: ['packaging'],
  bench: ['bench'],
  chaos: ['chaos'],
} as const

/** The patterns of the test files in these folders. */
export function testFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => [`test/${folder}/**/*.test.ts`, `test/${folder}/**/*.test.tsx`])
}
