/** The words around every screen. */
export const SHELL_WORDS = {
  product: 'Fundus Courier',
  skip: 'Skip to the screen',
  navigation: 'Screens',
  screens: {
    queue: 'Queue',
    cases: 'Cases',
    reports: 'Reports',
    activity: 'Activity',
    settings: 'Settings',
  },
  needYou: (count: number) => `${count} ${count === 1 ? 'needs' : 'need'} you`,
  unread: (count: number) => `${count} unread`,
  shortcut: (digit: number) => `Ctrl+${digit} or Alt+${digit}`,
  keyboard: 'Keyboard',
  version: (version: string) => `Version ${version}`,
  center: {
    label: 'Center',
    none: 'No center',
    unnamed: (id: string) => `Center ${id}`,
    choose: 'Center for new cases',
    explain:
      'New cases are made for the center chosen here. Cases that already wait keep the center they were made for, and are sent to it.',
    current: 'current',
    loading: 'Asking the service for its centers\u2026',
    empty: 'The service lists no centers.',
    changed: (name: string) => `New cases are now made for ${name}.`,
    confirmTitle: (name: string) => `Make new cases for ${name}?`,
    confirm: 'Change center',
    waitingKeep: (count: number) =>
      count === 0
        ? 'No case is waiting now.'
        : `${count} ${count === 1 ? 'case that is here now keeps its center' : 'cases that are here now keep their center'}.`,
  },
  pause: {
    pause: 'Pause sending',
    resume: 'Resume sending',
    menu: 'Pause sending for how long?',
    for15: '15 minutes',
    for60: '1 hour',
    untilResumed: 'Until somebody resumes',
    explain: 'New images are still taken in.',
  },
  light: {
    label: 'Service',
    open: 'Service reachable',
    unknown: 'Service not asked yet',
    unset: 'Service not set up',
    trouble: 'Service not reachable',
    lost: 'Station not reachable',
    lastSuccess: (when: string) => `last answer ${when}`,
  },
  scheme: {
    label: 'Light or dark',
    light: 'Light',
    dark: 'Dark',
    auto: 'As the system',
  },
  cancel: 'Cancel',
  close: 'Close',
  messages: 'Messages',
  copy: 'Copy',
  copied: 'Copied',
  refresh: 'Refresh',
  crash: {
    title: 'This screen could not be drawn',
    body: 'Nothing is lost: all cases are kept in the station and go on. The other screens still work.',
    again: 'Draw it again',
    reload: 'Reload everything',
  },
} as const

export const KEYBOARD_WORDS = {
  title: 'Keyboard',
  everywhere: 'Everywhere',
  queue: 'In the queue',
  submission: 'In a case',
  keys: {
    everywhere: [
      { keys: ['Ctrl', '1\u20135'], does: 'Queue, Cases, Reports, Activity, Settings' },
      { keys: ['Ctrl', 'F'], does: 'Search' },
      { keys: ['F1'], does: 'This list' },
      { keys: ['Esc'], does: 'Close what is open' },
    ],
    queue: [
      { keys: ['\u2191', '\u2193'], does: 'Move between cases' },
      { keys: ['Enter'], does: 'Open the case' },
      { keys: ['Space'], does: 'Select the case' },
      { keys: ['A'], does: 'Approve' },
      { keys: ['R'], does: 'Try again now' },
      { keys: ['H'], does: 'Hold, or release' },
      { keys: ['Del'], does: 'Discard (asks first)' },
    ],
    submission: [
      { keys: ['R'], does: 'Image under focus is the right eye \u2013 OD' },
      { keys: ['L'], does: 'Image under focus is the left eye \u2013 OS' },
      { keys: ['U'], does: 'Eye not known' },
      { keys: ['Enter'], does: 'Enlarge the image' },
      { keys: ['Ctrl', 'S'], does: 'Save' },
      { keys: ['Ctrl', 'Enter'], does: 'Approve and send' },
    ],
  },
} as const

/** One banner at a time: a title, what it means, and where it helps, what to do. */
export const BANNER_WORDS = {
  lost: {
    title: 'No connection to the station',
    body: 'What you see may be old. These screens reconnect by themselves; the station keeps working if it is running.',
  },
  notAuthorised: {
    title: 'These screens are not signed in to the station',
    body: 'Open the address that the station printed when it started, with everything after the #.',
  },
  connecting: { title: 'Connecting to the station\u2026', body: '' },
  starting: {
    title: 'The station is starting',
    body: 'It checks its storage and looks through the folders.',
  },
  stopping: { title: 'The station is stopping', body: 'Running transfers end cleanly. Nothing is lost.' },
  stopped: { title: 'The station has stopped', body: 'Start it again to go on. All cases are kept.' },
  paused: {
    title: 'Sending is paused',
    untilResumed: 'New images are still taken in. Nothing is sent until somebody resumes.',
    until: (time: string) => `New images are still taken in. Sending goes on at ${time}.`,
  },
  alarm: {
    many: (count: number) => `${count} alarms that nobody has seen yet`,
    body: 'Read what it means before anything is sent or decided.',
    action: 'Look',
  },
  throttledLong: {
    title: (when: string) => `The service asked us to wait until ${when}`,
    body: 'That is unusually long. Cases are kept safely here and go on by themselves then; ask the people who run the service whether it is meant.',
  },
  asking: {
    title: (count: number) =>
      `${count} ${count === 1 ? 'file was' : 'files were'} already in a watched folder`,
    body: 'Decide once whether they are cases to be sent or old files to be left alone.',
    action: 'Decide',
  },
  folder: (path: string) => `Camera folder can't be reached: ${path}`,
  folderTaken: (path: string) => `Another station takes this camera folder: ${path}`,
  noFolder: {
    title: 'No camera folder is set up',
    body: 'Name the folder into which the camera exports, and its images appear here by themselves.',
    action: 'Choose folder',
  },
  clock: {
    title: 'The clock of this computer and of the station differ',
    body: 'Times on these screens may be wrong. Check the clock.',
  },
  nextTry: (left: string) => `Next try in ${left}.`,
  openSettings: 'Open settings',
  resume: 'Resume',
  well: {
    title: 'All well',
    lastSent: (when: string) => `Last case sent ${when}`,
    nothingSent: 'No case sent yet',
    waiting: (count: number) => `${count} waiting`,
    needYou: (count: number) => `${count} ${count === 1 ? 'case needs' : 'cases need'} you`,
  },
} as const
