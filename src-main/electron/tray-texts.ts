/** The texts of the tray and of the dialog about managed files, in every language. */
import type { HostLanguage } from './texts.ts'

type ManagedTexts = {
  readonly title: string
  readonly files: Readonly<Record<'policy' | 'configuration' | 'enrolment', string>>
  readonly troubles: Readonly<
    Record<'none' | 'broken' | 'unreadable' | 'unsafe' | 'left' | 'refused' | 'locked' | 'failed', string>
  >
  readonly lastKnown: string
  readonly nothing: string
  /** The configuration file, whose settings decide where cases go. */
  readonly noConfiguration: string
  /** Where to read all of it again. */
  readonly where: string
  readonly close: string
}

export const managedTexts: Readonly<Record<HostLanguage, ManagedTexts>> = {
  en: {
    title: 'A file of the IT department needs a look',
    files: { policy: 'Policy', configuration: 'Configuration file', enrolment: 'Enrolment file' },
    troubles: {
      none: 'The file is gone. To lift a policy, put a file with {} in its place.',
      broken: 'The file cannot be understood.',
      unreadable: 'The file cannot be read.',
      unsafe: 'Others than an administrator may write this file, so it is not believed.',
      left: 'It was taken, but could be neither removed nor emptied: the client secret still lies in it. Remove the file.',
      refused:
        'It is for another service or center than the one that is enforced, so nothing of it was taken.',
      locked: "This computer's safe for secrets is locked. The file is taken at the next start.",
      failed:
        'What it brings could not be kept on this computer, see the log. The file is taken at the next start.',
    },
    lastKnown: 'What it said before still holds.',
    nothing: 'The station goes on with its own settings; cases are kept and sent as before.',
    noConfiguration:
      'What it said before is not known. So that no case is made or sent by other settings, the station has started in safe mode: nothing is taken in and nothing is sent, and all cases are kept. Mend the file, quit, and start again; “Start normally” would go on without it.',
    where: 'Settings, “Origin of settings”, shows all of it.',
    close: 'Close',
  },
  es: {
    title: 'Un archivo del departamento de informática necesita una revisión',
    files: {
      policy: 'Directiva',
      configuration: 'Archivo de configuración',
      enrolment: 'Archivo de alta',
    },
    troubles: {
      none: 'El archivo ya no está. Para retirar una directiva, ponga en su lugar un archivo con {}.',
      broken: 'El archivo no se puede entender.',
      unreadable: 'El archivo no se puede leer.',
      unsafe:
        'Otros que no son administradores pueden escribir este archivo, por lo que no se le da crédito.',
      left: 'Se aplicó, pero no se pudo eliminar ni vaciar: el secreto de cliente sigue en él. Elimine el archivo.',
      refused:
        'Es para un servicio o un centro distinto del que está impuesto, por lo que no se aplicó nada.',
      locked:
        'La caja fuerte de secretos de este equipo está bloqueada. El archivo se aplicará en el próximo inicio.',
      failed:
        'Lo que trae no se pudo guardar en este equipo; consulte el registro. El archivo se aplicará en el próximo inicio.',
    },
    lastKnown: 'Lo que decía antes sigue vigente.',
    nothing: 'La estación sigue con sus propios ajustes; los casos se conservan y se envían como antes.',
    noConfiguration:
      'No se sabe qué decía antes. Para que ningún caso se cree ni se envíe con otros ajustes, la estación se inició en modo seguro: no se recibe ni se envía nada y se conservan todos los casos. Corrija el archivo, salga e inicie de nuevo; «Iniciar con normalidad» seguiría sin él.',
    where: 'Ajustes, «Origen de los ajustes», lo muestra todo.',
    close: 'Cerrar',
  },
}

type TrayTexts = {
  /** The menu. */
  readonly open: string
  readonly pause: string
  readonly pause15: string
  readonly pause60: string
  readonly pauseUntilResumed: string
  readonly resume: string
  readonly settings: string
  readonly help: string
  readonly quit: string
  /** The line: what needs a person, then what is in progress. */
  readonly attention: (count: number) => string
  readonly alarms: (count: number) => string
  /** The number on the taskbar button, for screen readers. */
  readonly badge: (count: number) => string
  readonly starting: string
  readonly stopping: string
  readonly stopped: string
  readonly working: (count: number) => string
  readonly waiting: (count: number) => string
  readonly idle: string
  /** Cases still receiving images, and cases that a person stopped. */
  readonly arriving: (count: number) => string
  readonly held: (count: number) => string
  /** `time`: when sending resumes, as local time, with its day unless that is today. */
  readonly pausedUntil: (time: string) => string
  readonly pausedUntilResumed: string
  readonly signedOut: string
  readonly serviceNotSet: string
  readonly safeMode: string
  readonly offline: string
  readonly storage: string
  readonly diskLow: string
  readonly folderUnreachable: string
}

/** The tray's line and menu, and the number on the taskbar button. */
export const trayTexts: Readonly<Record<HostLanguage, TrayTexts>> = {
  en: {
    open: 'Open Fundus Courier',
    pause: 'Pause sending',
    pause15: 'For 15 minutes',
    pause60: 'For 1 hour',
    pauseUntilResumed: 'Until somebody resumes',
    resume: 'Resume sending',
    settings: 'Settings…',
    help: 'Help and diagnostics…',
    quit: 'Quit',
    attention: (count) => (count === 1 ? '1 case needs attention' : `${count} cases need attention`),
    alarms: (count) => (count === 1 ? '1 alarm' : `${count} alarms`),
    badge: (count) => (count === 1 ? '1 needs attention' : `${count} need attention`),
    starting: 'starting',
    stopping: 'stopping',
    stopped: 'stopped',
    working: (count) => `${count} on the way`,
    waiting: (count) => `${count} waiting`,
    idle: 'nothing is waiting',
    arriving: (count) => `${count} still arriving`,
    held: (count) => `${count} on hold`,
    pausedUntil: (time) => `sending is paused until ${time}`,
    pausedUntilResumed: 'sending is paused',
    signedOut: 'signed out, nothing is sent',
    serviceNotSet: 'no service is set up',
    safeMode: 'safe mode, nothing is sent or taken in',
    offline: 'no connection to the service',
    storage: 'storage problem, nothing is sent',
    diskLow: 'the disk is nearly full',
    folderUnreachable: 'a camera folder cannot be reached',
  },
  es: {
    open: 'Abrir Fundus Courier',
    pause: 'Pausar el envío',
    pause15: 'Durante 15 minutos',
    pause60: 'Durante 1 hora',
    pauseUntilResumed: 'Hasta que alguien lo reanude',
    resume: 'Reanudar el envío',
    settings: 'Ajustes…',
    help: 'Ayuda y diagnóstico…',
    quit: 'Salir',
    attention: (count) => (count === 1 ? '1 caso requiere atención' : `${count} casos requieren atención`),
    alarms: (count) => (count === 1 ? '1 alarma' : `${count} alarmas`),
    badge: (count) => (count === 1 ? '1 requiere atención' : `${count} requieren atención`),
    starting: 'arrancando',
    stopping: 'deteniéndose',
    stopped: 'detenida',
    working: (count) => `${count} en camino`,
    waiting: (count) => `${count} en espera`,
    idle: 'no hay nada en espera',
    arriving: (count) => `${count} llegando todavía`,
    held: (count) => (count === 1 ? '1 retenido' : `${count} retenidos`),
    pausedUntil: (time) => `envío en pausa hasta: ${time}`,
    pausedUntilResumed: 'envío en pausa',
    signedOut: 'sesión cerrada, no se envía nada',
    serviceNotSet: 'no hay ningún servicio configurado',
    safeMode: 'modo seguro, no se envía ni se recibe nada',
    offline: 'sin conexión con el servicio',
    storage: 'problema de almacenamiento, no se envía nada',
    diskLow: 'el disco está casi lleno',
    folderUnreachable: 'no se puede acceder a una carpeta de la cámara',
  },
}
