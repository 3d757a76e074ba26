/**
 * The vitest projects: which specs `npm test` runs, and which only `npm run test:long` does. A spec belongs to exactly
 * one, so that none runs twice or never; `vitest run --project NAME` runs one project.
 */

export type TestProject = {
  /** What `npm test` runs; the long run takes the others, too. */
  readonly run: 'default' | 'long'
  /**
   * In order: units load no process and no browser; stations open an outbox and a practice service; processes start
   * programs and browsers, for many journeys.
   */
  readonly layer: 'unit' | 'station' | 'processes'
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
}

/** The patterns of the specs in these folders of `test/`. */
const specsIn = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap((folder) => [`test/${folder}/**/*.test.ts`, `test/${folder}/**/*.test.tsx`])

/** Specs of the station that take long: hostile files as large as they come, every mutated photograph, years of reports, all layouts. */
const LONG_STATION_SPECS = [
  'test/src-main/station/left-aside.test.ts',
  'test/src-main/station/cases/layouts.test.ts',
  'test/src-main/station/cases/long-data-file.test.ts',
  'test/src-main/station/cases/hostile/hostile-inputs.test.ts',
  'test/src-main/reader/pictures/blank.test.ts',
  'test/src-main/reader/pictures/photo.test.ts',
  'test/src-main/reader/dicom/hostile-dicom.test.ts',
  'test/src-main/station/cases/records/hostile.test.ts',
  'test/src-main/station/cases/records/many-records.test.ts',
  'test/src-main/reader/pictures/webassembly.test.ts',
  'test/src-main/station/readers/hanging-shares.test.ts',
  'test/src-main/station/readers/foreign-paths.test.ts',
  'test/src-main/station/delivery/flush-order.test.ts',
  'test/src-main/station/readers/poison.test.ts',
  'test/src-main/station/outbox/many-reports.test.ts',
  'test/src-main/station/outbox/pages-read.test.ts',
]

/**
 * They replace modules, change the environment or the time zone, or test a module with state of its own. A worker that
 * shares its modules with others cannot bear that: each runs in a process of its own.
 */
const ISOLATED_SPECS = [
  'test/src-main/electron/dialogs.test.ts',
  'test/src-main/electron/recovery.test.ts',
  'test/src-main/electron/tray.test.ts',
  'test/src-main/electron/updates/update-note.test.ts',
  'test/src-main/electron/utility-processes.test.ts',
  'test/src-main/headless/ports.test.ts',
  'test/src-main/station/broken-station.test.ts',
  'test/src-main/station/cases/meaning/dicom/days.test.ts',
  // The errors of libvips are one buffer for all threads of a process.
  'test/src-main/reader/pictures/decode.test.ts',
  'test/src-main/reader/formats/png.test.ts',
  'test/src-main/station/cases/one-bad-file.test.ts',
  'test/src-main/reader/copy-on-failing-disk.test.ts',
  'test/src-main/station/outbox/failing-manifests.test.ts',
  'test/src-main/station/outbox/durable-first.test.ts',
  'test/src-main/station/outbox/flush.test.ts',
  'test/src-main/station/service/certificate-checks.test.ts',
  'test/src-main/station/service/system-authorities.test.ts',
  'test/src-main/station/lib/locked-files.test.ts',
  'test/src-main/reader/folder/one-bad-file.test.ts',
  'test/src-renderer/shell/announcements.test.ts',
]

/** The end-to-end specs of the default run: the whole way, and the window. Any other is long. */
const SHORT_END_TO_END_SPECS = [
  'test/end-to-end/whole-way.test.ts',
  'test/end-to-end/hardening/window.test.ts',
]

/** They start the built app, and the checks of the tree on planted violations. */
const LONG_PROGRAM_SPECS = [
  'test/src-main/electron/build.test.ts',
  'test/src-main/electron/built-main.test.ts',
  'test/architecture/layers.test.ts',
]

const projects = {
  shared: { run: 'default', layer: 'unit', include: specsIn('src-shared') },
  renderer: {
    run: 'default',
    layer: 'unit',
    include: ['test/src-renderer/**/*.test.ts'],
    exclude: ISOLATED_SPECS,
  },
  /** Screens in happy-dom, on a link in memory. */
  components: { run: 'default', layer: 'unit', include: ['test/src-renderer/**/*.test.tsx'] },
  isolated: { run: 'default', layer: 'station', include: ISOLATED_SPECS },
  hosts: {
    run: 'default',
    layer: 'station',
    include: specsIn('src-main/headless', 'src-main/electron'),
    exclude: [...LONG_PROGRAM_SPECS, ...ISOLATED_SPECS],
  },
  tools: {
    run: 'default',
    layer: 'station',
    include: specsIn('architecture', 'tools'),
    exclude: LONG_PROGRAM_SPECS,
  },
  clinical: {
    run: 'default',
    layer: 'unit',
    include: specsIn('clinical'),
  },
  station: {
    run: 'default',
    layer: 'station',
    include: specsIn('src-main/station', 'src-main/reader'),
    exclude: [...LONG_STATION_SPECS, ...ISOLATED_SPECS],
  },
  /** Beside the stations: a journey waits for its station and its browser most of the time. */
  'end-to-end': { run: 'default', layer: 'station', include: SHORT_END_TO_END_SPECS },
  'station-long': { run: 'long', layer: 'station', include: LONG_STATION_SPECS },
  damage: { run: 'long', layer: 'station', include: specsIn('damage') },
  'end-to-end-long': {
    run: 'long',
    layer: 'processes',
    include: [...specsIn('end-to-end'), ...LONG_PROGRAM_SPECS],
    exclude: SHORT_END_TO_END_SPECS,
  },
  packaging: { run: 'long', layer: 'processes', include: specsIn('packaging') },
  chaos: { run: 'long', layer: 'processes', include: specsIn('chaos') },
} as const satisfies Record<string, TestProject>

export type ProjectName = keyof typeof projects

export const testProjects: Readonly<Record<ProjectName, TestProject>> = projects

/** The names of the projects of a run in these layers. */
export function projectsOf(run: TestProject['run'], layers: readonly TestProject['layer'][]): string[] {
  return Object.entries(testProjects).flatMap(([name, project]) =>
    (run === 'long' || project.run === 'default') && layers.includes(project.layer) ? [name] : [],
  )
}
