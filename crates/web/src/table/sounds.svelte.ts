// Sounds, which the page generates. They are off until the person wants them.
import { recall, remember } from "../session/memory";

const SOUNDS = "cardsharp.sounds";
/** The volume of all sounds, from 0 to 1. */
const VOLUME = 0.12;

export class Sounds {
    #on = $state(recall(SOUNDS) === "yes");
    #context: AudioContext | undefined;

    get on(): boolean {
        return this.#on;
    }

    set on(wanted: boolean) {
        this.#on = wanted;
        remember(SOUNDS, wanted ? "yes" : "no");
        if (wanted) this.turn();
    }

    /** A card is laid down: a short noise. */
    card(): void {
        const context = this.#ready();
        if (!context) return;
        const length = Math.floor(context.sampleRate * 0.07);
        const noise = context.createBuffer(1, length, context.sampleRate);
        const samples = noise.getChannelData(0);
        for (let at = 0; at < length; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 3;
        const [source, filter, gain] = [
            context.createBufferSource(),
            context.createBiquadFilter(),
            context.createGain(),
        ];
        source.buffer = noise;
        filter.type = "bandpass";
        filter.frequency.value = 1800;
        gain.gain.value = VOLUME * 2;
        source.connect(filter).connect(gain).connect(context.destination);
        source.start();
    }

    /** The person must decide. */
    turn(): void {
        this.#tones([660, 880], 0.09);
    }

    won(): void {
        this.#tones([523, 659, 784, 1047], 0.13);
    }

    lost(): void {
        this.#tones([392, 330], 0.18);
    }

    /** Ends the use of the speakers. */
    leave(): void {
        void this.#context?.close();
        this.#context = undefined;
    }

    #ready(): AudioContext | undefined {
        return this.#on ? (this.#context ??= new AudioContext()) : undefined;
    }

    /** Tones one after the other, each this many seconds long. */
    #tones(frequencies: number[], length: number): void {
        const context = this.#ready();
        if (!context) return;
        for (const [number, frequency] of frequencies.entries()) {
            const begin = context.currentTime + number * length;
            const [tone, gain] = [context.createOscillator(), context.createGain()];
            tone.type = "triangle";
            tone.frequency.value = frequency;
            gain.gain.setValueAtTime(0, begin);
            gain.gain.linearRampToValueAtTime(VOLUME, begin + 0.01);
            gain.gain.exponentialRampToValueAtTime(0.001, begin + length * 1.6);
            tone.connect(gain).connect(context.destination);
            tone.start(begin);
            tone.stop(begin + length * 1.6);
        }
    }
}
