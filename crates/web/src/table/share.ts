// A picture of a result, drawn in this page, to share with others.

export interface ShareCard {
    game: string;
    headline: string;
    /** The players, best first: the place, the name and the points. */
    rows: { place: number; name: string; points: string; me: boolean }[];
    /** Whether the language is written from right to left. */
    mirrored: boolean;
}

const [WIDTH, HEIGHT, EDGE] = [1200, 630, 70];
/** The most players that the picture shows. */
const MOST = 6;
const FONT = 'system-ui, "Segoe UI", Roboto, sans-serif';
const MEDALS = ["#e5b52e", "#c3cad3", "#cf8d51"];

/** Draws the picture as a PNG file. */
export async function draw({ game, headline, rows, mirrored }: ShareCard): Promise<Blob> {
    const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
    const pen = canvas.getContext("2d")!;
    pen.direction = mirrored ? "rtl" : "ltr";
    pen.textBaseline = "middle";
    const [start, end] = mirrored ? [WIDTH - EDGE, EDGE] : [EDGE, WIDTH - EDGE];
    const write = (text: string, x: number, y: number, font: string, color: string, align: CanvasTextAlign): void => {
        pen.font = `${font} ${FONT}`;
        pen.fillStyle = color;
        pen.textAlign = align;
        pen.fillText(text, x, y, WIDTH - 2 * EDGE);
    };
    const felt = pen.createRadialGradient(WIDTH / 2, HEIGHT / 3, 60, WIDTH / 2, HEIGHT / 2, WIDTH * 0.7);
    felt.addColorStop(0, "#2a7d52");
    felt.addColorStop(1, "#12422a");
    pen.fillStyle = felt;
    pen.fillRect(0, 0, WIDTH, HEIGHT);
    write(game, start, 80, "700 44px", "#cfe8d8", "start");
    write(headline, start, 160, "800 60px", "#ffffff", "start");
    const shown = rows.slice(0, MOST);
    for (const [at, { place, name, points, me }] of shown.entries()) {
        const y = 250 + at * 60;
        if (me) {
            pen.fillStyle = "rgb(255 255 255 / 16%)";
            pen.fillRect(EDGE - 20, y - 28, WIDTH - 2 * EDGE + 40, 56);
        }
        const middle = mirrored ? start - 24 : start + 24;
        pen.fillStyle = MEDALS[place - 1] ?? "#8d97a5";
        pen.beginPath();
        pen.arc(middle, y, 23, 0, 2 * Math.PI);
        pen.fill();
        write(String(place), middle, y + 2, "700 28px", "#1d2430", "center");
        write(name, mirrored ? start - 70 : start + 70, y, me ? "700 36px" : "400 36px", "#ffffff", "start");
        write(points, end, y, me ? "700 36px" : "400 36px", "#ffffff", "end");
    }
    return new Promise((done, failed) =>
        canvas.toBlob((picture) => (picture ? done(picture) : failed(new Error("the picture is empty"))), "image/png"),
    );
}
