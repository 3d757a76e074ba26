/** The mark beside the clock: its line, its menu, and the number on the taskbar's button. */
import type { HostLanguage } from './host-language.ts'

type TrayWords = {
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
  /** The line: what needs a person, then what goes on. */
  readonly attention: (count: number) => string
  readonly alarms: (count: number) => string
  /** The number on the taskbar's button, read out. */
  readonly badge: (count: number) => string
  readonly starting: string
  readonly stopping: string
  readonly stopped: string
  readonly working: (count: number) => string
  readonly waiting: (count: number) => string
  readonly idle: string
  /** Cases whose images are still coming, and cases that somebody stopped. */
  readonly arriving: (count: number) => string
  readonly held: (count: number) => string
  /** `time`: when sending resumes by itself, as the clock on the wall shows it; with its day where that is not today. */
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

export const trayWords: Readonly<Record<HostLanguage, TrayWords>> = {
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
