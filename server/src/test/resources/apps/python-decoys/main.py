"""Start it:

    app = FastAPI()
"""
from fastapi import FastAPI

# old = FastAPI()
TEXT = "app = FastAPI()"
server = FastAPI(
    title="shop",
)

if __name__ == "__main__":
    import uvicorn

    uvicorn.run("main:server", port=8000, reload=True)
